package io.busbar.linux;

import java.io.IOException;

/** What a {@link Child} does; it says {@code ready} and waits for its end. */
final class Role {
  private Role() {}

  public static void main(String[] arguments) throws IOException {
    switch (arguments[0]) {
      case "lock" -> {
        MemoryFile file = MemoryFile.open(arguments[1]);
        try (OfdLock lock = OfdLock.exclusive(file, 8, 1)) {
          waitForTheEnd("ready " + (lock != null));
        }
      }
      case "listen" -> {
        try (Fifo owner = Fifo.create(arguments[1])) {
          waitForTheEnd("ready " + owner.take());
        }
      }
      case "ring" -> {
        try (Fifo ringer = Fifo.ringer(arguments[1])) {
          waitForTheEnd("ready " + ringer.ring());
        }
      }
      case "pin" -> {
        try (Mapping mapping = Mapping.anonymous(Long.parseLong(arguments[1]))) {
          mapping.lock();
          System.out.println("locked");
        } catch (SystemCallException e) {
          System.out.println(e.getMessage());
        }
      }
      case "raw" -> {
        System.out.println(Capabilities.effective().has(Capability.CAP_NET_RAW));
        try (NativeSocket socket = NativeSocket.packet()) {
          System.out.println("opened " + socket);
        } catch (SystemCallException e) {
          System.out.println(e.getMessage());
        }
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void waitForTheEnd(String word) throws IOException {
    System.out.println(word);
    while (System.in.read() >= 0) {
      // until the parent ends, or kills this process
    }
  }
}
