package io.busbar.transport;

import org.jspecify.annotations.Nullable;

/** The level of service that the initiator of an association chooses (A10). */
public enum Service {
  /** Every byte once, in order; ends of messages are kept. */
  STREAM(1),
  /** Each datagram at most once, in any order; lost ones stay lost. */
  DATAGRAM(2);

  private static final Service[] ALL = values();
  private final int number;

  Service(int number) {
    this.number = number;
  }

  /** The number in FIRST. */
  public int number() {
    return number;
  }

  static @Nullable Service of(int number) {
    for (Service service : ALL) {
      if (service.number == number) {
        return service;
      }
    }
    return null;
  }
}
