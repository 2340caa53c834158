package io.busbar.fabric.modes;

import static io.busbar.fabric.modes.Channel.PAGE;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.Nic;
import io.busbar.memory.Crossover;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Both ends scribble on their buffers while messages of all lengths are exchanged between them, two
 * buffers on each side, several messages on their way. The model is arrays that are copied.
 */
@Timeout(120)
class ScribbleTest {
  private static final int BUFFERS = 2;
  private static final int BYTES = 4 * PAGE;
  private static final int STEPS = 20_000;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void bothSidesScribble(int seed) {
    bothSidesScribble(seed, Channel.CONFIG);
  }

  /** Parts of a page of 2 MB are shown, written to and kept as small pages are; needs root. */
  @ParameterizedTest
  @ValueSource(ints = {7, 8})
  void bothSidesScribbleOnLargePages(int seed) {
    Crossover always = Crossover.at(PAGE);
    bothSidesScribble(seed, new ModesConfig(8, 8, 0, Crossover.LARGE, 0, true, always));
  }

  private static void bothSidesScribble(int seed, ModesConfig config) {
    SplittableRandom random = new SplittableRandom(seed);
    try (ModeSender sender = new ModeSender(config);
        ModeReceiver receiver = new ModeReceiver(sender.path(), config)) {
      Side out = new Side(sender.pages(), sender.pages());
      Side in = new Side(receiver.pages(BYTES), receiver.pages(BYTES));
      ArrayDeque<byte[]> onTheirWay = new ArrayDeque<>();
      int exchanged = 0;
      for (int step = 0; step < STEPS; step++) {
        int which = random.nextInt(BUFFERS);
        switch (random.nextInt(7)) {
          case 0, 1 -> out.scribble(random, which);
          case 2, 3 -> in.scribble(random, which);
          case 4 -> {
            int pages = random.nextInt(3);
            int offset = pages * PAGE;
            int length = 1 + random.nextInt(BYTES - offset);
            MemorySegment from = out.buffers[which];
            if (sender.send(SendMode.EXCHANGE, from, offset, length) == Nic.DONE) {
              onTheirWay.add(Arrays.copyOfRange(out.models[which], offset, offset + length));
            }
          }
          case 5 -> {
            byte[] message = onTheirWay.poll();
            if (message != null) {
              int offset = random.nextInt((BYTES - message.length) / PAGE + 1) * PAGE;
              int capacity = BYTES - offset;
              assertThat(
                      receiver.receive(ReceiveMode.EXCHANGE, in.buffers[which], offset, capacity))
                  .isEqualTo(message.length);
              System.arraycopy(message, 0, in.models[which], offset, message.length);
              exchanged++;
            }
          }
          default -> {
            boolean _ = sender.reown(out.buffers[which]);
            if (random.nextInt(4) == 0) {
              receiver.release(in.buffers[which]);
            }
          }
        }
        if (step % 8 == 0) {
          out.compare("seed %d, step %d, sender".formatted(seed, step));
          in.compare("seed %d, step %d, receiver".formatted(seed, step));
        }
      }
      assertThat(exchanged).isGreaterThan(STEPS / 10);
    }
  }

  private static final class Side {
    final MemorySegment[] buffers;
    final byte[][] models = new byte[BUFFERS][BYTES];

    Side(MemorySegment... buffers) {
      this.buffers = buffers;
    }

    void scribble(SplittableRandom random, int which) {
      int at = random.nextInt(BYTES);
      int length = Math.min(BYTES - at, 1 + random.nextInt(random.nextBoolean() ? 10 : 2 * PAGE));
      byte value = (byte) random.nextInt();
      Arrays.fill(models[which], at, at + length, value);
      buffers[which].asSlice(at, length).fill(value);
    }

    void compare(String where) {
      for (int i = 0; i < BUFFERS; i++) {
        long difference =
            MemorySegment.mismatch(
                buffers[i], 0, BYTES, MemorySegment.ofArray(models[i]), 0, BYTES);
        if (difference >= 0) {
          byte found = buffers[i].get(ValueLayout.JAVA_BYTE, difference);
          throw new AssertionError(
              "%s: byte %d of buffer %d is %d, and should be %d"
                  .formatted(where, difference, i, found, models[i][(int) difference]));
        }
      }
    }
  }
}
