package io.busbar.memory;

/** Who in a process holds a buffer (A31). */
public enum Role {
  /** The program. */
  APPLICATION(1),
  /** The transport, until the last byte is acknowledged. */
  TRANSPORT(2),
  /** A fabric, while it moves the bytes. */
  FABRIC(3);

  private final int number;

  Role(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  static boolean exists(int number) {
    return number >= 1 && number <= 3;
  }

  static Role of(int number) {
    return switch (number) {
      case 1 -> APPLICATION;
      case 2 -> TRANSPORT;
      case 3 -> FABRIC;
      default -> throw new IllegalArgumentException("role " + number);
    };
  }
}
