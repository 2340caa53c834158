package io.busbar.lab;

import io.busbar.fabric.NicAddress;

/** A port of the lab's switch. There need not be anybody. */
public record SimAddress(int port) implements NicAddress {
  /** Ports have the numbers of nodes; the last one means everyone. */
  static final int PORTS = 0xFFFF;

  private static final String PREFIX = "sim:";

  /** Refuses what is no port. */
  public SimAddress {
    if (port < 0 || port >= PORTS) {
      throw new IllegalArgumentException("port %d; allowed: 0 to %d".formatted(port, PORTS - 1));
    }
  }

  /** Reads what {@link #text} wrote. */
  public static SimAddress parse(String text) {
    if (!text.startsWith(PREFIX)) {
      throw new IllegalArgumentException("\"%s\" does not begin with sim:".formatted(text));
    }
    return new SimAddress(Integer.parseInt(text, PREFIX.length(), text.length(), 10));
  }

  @Override
  public String text() {
    return PREFIX + port;
  }
}
