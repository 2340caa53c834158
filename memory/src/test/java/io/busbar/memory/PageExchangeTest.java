package io.busbar.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.linux.MemoryFile;
import io.busbar.linux.ThisProcess;
import io.busbar.testkit.AllocationMeter;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Both sides scribble on their buffers in every order, while pages go from one to the other. The
 * model is arrays that are copied. Forbidden: a byte that differs from it in either view.
 */
@Timeout(120)
class PageExchangeTest {
  private static final int PAGE = ThisProcess.pageBytes();
  private static final int PAGES = 2;
  private static final int ACTIONS = 7;

  private final MemoryFile file = MemoryFile.anonymous("exchange");
  private final ExchangeBank bank;

  PageExchangeTest() {
    file.reserve(3L * PAGES * PAGE);
    bank = new ExchangeBank(file, 0, 3, (long) PAGES * PAGE, PAGE);
  }

  @AfterEach
  void close() {
    bank.close();
    file.close();
  }

  /** A sender and a receiver, and what they ought to see: of each page the first and last byte. */
  private final class Pair implements AutoCloseable {
    final SendPages out = new SendPages(bank, 0);
    final ReceivePages in = new ReceivePages(bank, (long) PAGES * PAGE);
    final byte[] seenOut = new byte[2 * PAGES];
    final byte[] seenIn = new byte[2 * PAGES];
    private byte @Nullable [] onItsWay;
    private boolean atReceiver;
    private byte value;

    Pair() {
      out.segment().fill((byte) 0);
      in.segment().fill((byte) 0);
    }

    void act(int action) {
      switch (action) {
        case 0, 1 -> write(out.segment(), seenOut, action);
        case 2, 3 -> write(in.segment(), seenIn, action - 2);
        case 4 -> send();
        case 5 -> receive();
        default -> reown();
      }
      compare(out.segment(), seenOut, "sender");
      compare(in.segment(), seenIn, "receiver");
    }

    private void write(MemorySegment segment, byte[] seen, int page) {
      value++;
      long at = (long) page * PAGE + (value & 1) * (PAGE - 1L);
      segment.set(JAVA_BYTE, at, value);
      seen[2 * page + (value & 1)] = value;
    }

    private void send() {
      if (onItsWay != null || atReceiver) {
        return; // it is not back: it would be copied
      }
      out.lend(0, (long) PAGES * PAGE);
      onItsWay = seenOut.clone();
    }

    /** What is on its way comes, or what came is given back. */
    private void receive() {
      byte[] message = onItsWay;
      if (message != null) {
        assertThat(in.take(0, 0, 0, (long) PAGES * PAGE)).isEqualTo(ExchangeBank.NONE);
        System.arraycopy(message, 0, seenIn, 0, message.length);
        onItsWay = null;
        atReceiver = true;
      } else if (atReceiver) {
        assertThat(in.release()).isZero();
        atReceiver = false;
      }
    }

    private void reown() {
      if (onItsWay == null && !atReceiver) {
        out.reown();
      }
    }

    private void compare(MemorySegment segment, byte[] seen, String who) {
      for (int i = 0; i < seen.length; i++) {
        byte found = segment.get(JAVA_BYTE, (long) (i / 2) * PAGE + (i % 2) * (PAGE - 1L));
        if (found != seen[i]) {
          throw new AssertionError(
              "the %s sees %d at %d, and should see %d".formatted(who, found, i, seen[i]));
        }
      }
    }

    @Override
    public void close() {
      out.close();
      in.close();
    }
  }

  /** Every order of six of writes to four pages, sends, receives and reowns, after one exchange. */
  @Test
  void everyOrderOfScribbling() {
    int orders = 1;
    for (int i = 0; i < 6; i++) {
      orders *= ACTIONS;
    }
    try (Pair pair = new Pair()) {
      for (int order = 0; order < orders; order++) {
        int rest = order;
        for (int i = 0; i < 6; i++) {
          try {
            pair.act(rest % ACTIONS);
          } catch (AssertionError e) {
            throw new AssertionError("order %d, step %d".formatted(order, i), e);
          }
          rest /= ACTIONS;
        }
      }
    }
    System.out.printf("%d orders of scribbling on both sides%n", orders);
  }

  @Test
  void longRandomStories() {
    for (int seed = 1; seed <= 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      try (Pair pair = new Pair()) {
        for (int i = 0; i < 5_000; i++) {
          try {
            pair.act(random.nextInt(ACTIONS));
          } catch (AssertionError e) {
            throw new AssertionError("seed %d, step %d".formatted(seed, i), e);
          }
        }
      }
    }
  }

  @Test
  void partsAreLentAndTheRestOfAPageIsCopied() {
    try (SendPages out = new SendPages(bank, 1);
        ReceivePages in = new ReceivePages(bank, 2L * PAGE)) {
      out.segment().fill((byte) 5);
      in.segment().fill((byte) 9);
      out.lend(0, PAGE + 10);
      out.segment().fill((byte) 6);
      assertThat(in.take(1, 0, 0, PAGE + 10)).isEqualTo(ExchangeBank.NONE);
      assertThat(in.segment().get(JAVA_BYTE, PAGE + 9)).isEqualTo((byte) 5);
      assertThat(in.segment().get(JAVA_BYTE, PAGE + 10)).isEqualTo((byte) 9);
      assertThat(in.segment().get(JAVA_BYTE, PAGE - 1)).isEqualTo((byte) 5);
      out.segment().fill((byte) 7);
      assertThat(in.segment().get(JAVA_BYTE, 0)).isEqualTo((byte) 5);
    }
  }

  /**
   * A shorter message behind a longer one: what it does not cover stays, and its extent is free.
   */
  @Test
  void pagesBehindAShorterMessageStay() {
    try (ReceivePages in = new ReceivePages(bank, 2L * PAGE)) {
      bank.segment().asSlice(bank.offset(0), 2L * PAGE).fill((byte) 1);
      bank.segment().asSlice(bank.offset(1), 2L * PAGE).fill((byte) 2);
      assertThat(in.take(0, 0, 0, 2L * PAGE)).isEqualTo(ExchangeBank.NONE);
      assertThat(in.take(1, 0, 0, PAGE)).isZero();
      bank.segment().asSlice(bank.offset(0), 2L * PAGE).fill((byte) 3); // it is the sender's again
      assertThat(in.segment().get(JAVA_BYTE, 0)).isEqualTo((byte) 2);
      assertThat(in.segment().get(JAVA_BYTE, PAGE)).isEqualTo((byte) 1);
      assertThat(in.release()).isEqualTo(1);
      bank.segment().asSlice(bank.offset(1), 2L * PAGE).fill((byte) 4);
      assertThat(in.segment().get(JAVA_BYTE, 0)).isEqualTo((byte) 2);
    }
  }

  @Test
  void onlyPagesThatDivergedAreCopied() {
    try (SendPages out = new SendPages(bank, 0)) {
      out.lend(0, 2L * PAGE);
      out.lend(0, 2L * PAGE);
      assertThat(out.divergedBytes()).isZero();
      out.segment().set(JAVA_BYTE, PAGE, (byte) 1);
      out.lend(0, 2L * PAGE);
      assertThat(out.divergedBytes()).isEqualTo(PAGE);
      assertThat(bank.segment().get(JAVA_BYTE, PAGE)).isEqualTo((byte) 1);
      assertThat(out.isLent()).isTrue();
      out.reown();
      assertThat(out.isLent()).isFalse();
      out.segment().set(JAVA_BYTE, 3, (byte) 8);
      assertThat(bank.segment().get(JAVA_BYTE, 3)).isEqualTo((byte) 8);
    }
  }

  @Test
  void whatIsNotAlignedIsRefused() {
    try (SendPages out = new SendPages(bank, 0);
        ReceivePages in = new ReceivePages(bank, 2L * PAGE)) {
      assertThat(SendPages.canLend(8, PAGE)).isFalse();
      assertThat(SendPages.canLend(0, PAGE - 1)).isFalse();
      assertThat(ReceivePages.canTake(0, 8, PAGE)).isFalse();
      assertThatThrownBy(() -> out.lend(8, PAGE)).hasMessageContaining("whole pages");
      assertThatThrownBy(() -> in.take(0, 0, 8, PAGE)).hasMessageContaining("whole pages");
      assertThatThrownBy(() -> in.take(3, 0, 0, PAGE))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> new ExchangeBank(file, 8, 1, PAGE, PAGE))
          .hasMessageContaining("whole pages");
    }
  }

  @Test
  void exchangeAllocatesNothing() {
    try (SendPages out = new SendPages(bank, 0);
        ReceivePages in = new ReceivePages(bank, 2L * PAGE)) {
      new AllocationMeter()
          .assertAllocatesNothing(
              () -> {
                out.lend(0, 2L * PAGE);
                out.segment().set(JAVA_BYTE, 0, (byte) 1);
                if (in.take(0, 0, 0, 2L * PAGE) > 0 || in.release() != 0) {
                  throw new AssertionError("an extent was lost");
                }
                out.reown();
              });
    }
  }
}
