package io.busbar.lab.bed;

import io.busbar.messages.Handler;
import io.busbar.messages.InMessage;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.Messages;
import io.busbar.node.NodeConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * One of two nodes that tell each other messages of all lengths, in a host of its own. It sends
 * while its messages are taken, says what it heard, and leaves.
 */
final class Speaker {
  static final int ROUNDS = 20;
  static final int[] LENGTHS = {8, 64, 1_500, 20_000, 65_000, 66_000, 300_000, 1 << 20};
  private static final long PATIENCE_NS = 60_000_000_000L;

  private final MemorySegment bytes = Arena.ofAuto().allocate(1 << 20);
  private int started;
  private int heard;
  private String fault = "none";

  private Speaker() {
    for (int i = 0; i < bytes.byteSize(); i++) {
      bytes.set(ValueLayout.JAVA_BYTE, i, pattern(i));
    }
  }

  private static byte pattern(int at) {
    return (byte) (at * 31 + (at >> 8));
  }

  /** Handlers start in order; one that waits for the rest of its message lets others run. */
  private void take(InMessage in, int from) {
    int number = started++;
    int length = LENGTHS[number % LENGTHS.length];
    if (in.length() != length) {
      fault = "message %d has %d bytes".formatted(number, in.length());
    }
    byte[] into = in.receiveRest();
    for (int i = 0; i < into.length; i++) {
      if (into[i] != pattern(i)) {
        fault = "byte %d of message %d is wrong".formatted(i, number);
      }
    }
    heard++;
  }

  private static String choice(Messages fm) {
    return Objects.requireNonNull(fm.node().choices().get(1 - fm.node().id()));
  }

  private void speak(NodeConfig config) throws InterruptedException {
    MessageEvents events =
        new MessageEvents() {
          @Override
          public void onHandlerFailed(Handler handler, int from, long size, Throwable why) {
            fault = why.toString();
          }

          @Override
          public void onUndelivered(int node, long size) {
            System.out.println("undelivered " + size);
          }
        };
    try (Messages fm = Messages.join(config, events)) {
      int other = 1 - config.rank();
      Handler take = fm.handler("take", this::take); // before the other one may send
      boolean _ = fm.await(() -> !choice(fm).contains("until others"), PATIENCE_NS);
      System.out.println("choice " + choice(fm));
      for (int i = 0; i < ROUNDS * LENGTHS.length; i++) {
        fm.send(other, take, bytes, 0, LENGTHS[i % LENGTHS.length]);
      }
      boolean all = fm.await(() -> heard == ROUNDS * LENGTHS.length, PATIENCE_NS);
      System.out.printf("heard %d all %b fault %s%n", heard, all, fault);
    }
    System.out.println("left");
  }

  /**
   * The child.
   *
   * @param arguments rank, meeting, address, carriers
   */
  public static void main(String[] arguments) throws Exception {
    NodeConfig config =
        NodeConfig.of(Map.of())
            .as(Integer.parseInt(arguments[0]), 2, Path.of(arguments[1]))
            .withHost(arguments[2])
            .withFabrics(arguments[3].split(",", -1));
    new Speaker().speak(config);
  }
}
