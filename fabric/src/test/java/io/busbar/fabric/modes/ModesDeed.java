package io.busbar.fabric.modes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** The receiving end in a process of its own. */
final class ModesDeed {
  private ModesDeed() {}

  /** Receives by all modes in turn, says a sum of each message, and is killed. */
  public static void main(String[] arguments) {
    try (ModeReceiver receiver = new ModeReceiver(arguments[0], Channel.CONFIG)) {
      MemorySegment pages = receiver.pages(Channel.MESSAGE_MAX);
      MemorySegment inbound = receiver.inbound();
      System.out.println("ready");
      List<ReceiveMode> modes = List.of(ReceiveMode.values());
      int count = 0;
      while (true) {
        if (receiver.next() == ModeReceiver.NOTHING) {
          Thread.onSpinWait();
          continue;
        }
        ReceiveMode mode = modes.get(count % modes.size());
        MemorySegment into = mode == ReceiveMode.EXCHANGE ? pages : inbound;
        long bytes = receiver.receive(mode, into, 0, Channel.MESSAGE_MAX);
        count++;
        System.out.printf("%s %d %d%n", mode, bytes, sum(into, bytes));
        into.fill((byte) count); // of no concern to the sender
      }
    }
  }

  static long sum(MemorySegment memory, long bytes) {
    long sum = 0;
    for (long i = 0; i < bytes; i++) {
      sum = sum * 31 + memory.get(ValueLayout.JAVA_BYTE, i);
    }
    return sum;
  }
}
