package io.busbar.bench;

/** Where figures were taken. */
final class Machine {
  private Machine() {}

  static String json() {
    return "{\"cores\":%d,\"kernel\":\"%s\",\"jdk\":\"%s\"}"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.version"),
            Runtime.version().feature()
                + "."
                + Runtime.version().interim()
                + "."
                + Runtime.version().update());
  }
}
