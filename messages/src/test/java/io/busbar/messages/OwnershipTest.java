package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.messages.MessageException.Mistake;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers that are given with messages, and taken from them. */
@Timeout(60)
class OwnershipTest extends Nodes {
  private static MessageBuffer filled(Messages fm, int bytes, int seed) {
    MessageBuffer buffer = fm.buffer(bytes);
    MemorySegment.copy(pattern(bytes, seed), 0, buffer.memory(), 0, bytes);
    return buffer;
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void buffersChangeTheirOwners(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    List<MessageBuffer> taken = new ArrayList<>();
    b.handler(
        "take",
        (in, from) -> {
          int number = in.receiveInt();
          taken.add(in.take());
          assertThat(in.remaining()).as("of message %d", number).isZero();
        });
    int[] lengths = {8, 5_000, 100_000, 131_064, 200_000};
    int count = 200; // more than the pool has buffers
    for (int i = 0; i < count; i++) {
      int length = lengths[i % lengths.length];
      MessageBuffer buffer = filled(a, length, i);
      buffer.memory().set(Little.INT, 0, i);
      a.give(1, Handler.named("take"), buffer, length);
      assertThatThrownBy(buffer::memory)
          .isInstanceOfSatisfying(
              MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.NOT_OWNED));
      buffer.close();
      int number = i;
      assertThat(b.await(() -> taken.size() == number + 1, 30 * SECOND_NS)).isTrue();
      if (i >= 10) {
        check(taken.get(i - 10), lengths[(i - 10) % lengths.length], i - 10);
      }
    }
    assertThat(told).isEmpty();
  }

  private static void check(MessageBuffer buffer, int length, int seed) {
    MemorySegment expected = pattern(length, seed).asSlice(4, length - 4L);
    assertThat(buffer.memory().mismatch(expected)).isEqualTo(-1);
    buffer.close();
    buffer.close();
  }

  /** Whatever it lies in: who takes many, and keeps them, gets copies from some time on. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void whatIsTakenTakesAnyLayout(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    List<MessageBuffer> taken = new ArrayList<>();
    b.handler("take", (in, from) -> taken.add(in.take()));
    int length = 100_000;
    for (int i = 0; i < 40; i++) {
      MessageBuffer buffer = a.buffer(length);
      buffer.memory().set(ValueLayout.JAVA_LONG, length - 8L, i);
      a.give(1, Handler.named("take"), buffer, length);
      int number = i;
      assertThat(b.await(() -> taken.size() == number + 1, 30 * SECOND_NS)).isTrue();
      assertThat(taken.get(i).memory().get(ValueLayout.JAVA_LONG, length - 8L)).isEqualTo(i);
    }
    taken.forEach(MessageBuffer::close);
    assertThat(told).isEmpty();
  }

  /** Over shared memory the bytes of a message that was given are not moved. */
  @ParameterizedTest
  @ValueSource(strings = "shm")
  void whatIsGivenIsNotMoved(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    MessageBuffer[] taken = new MessageBuffer[1];
    b.handler("take", (in, from) -> taken[0] = in.take());
    MessageBuffer buffer = filled(a, 100_000, 1);
    MemorySegment before = buffer.memory();
    a.give(1, Handler.named("take"), buffer, 100_000);
    assertThat(b.await(() -> taken[0] != null, 30 * SECOND_NS)).isTrue();
    // Both mappings show the same memory: what is written here is seen there.
    before.set(Little.INT, 50_000, 0x12345678);
    assertThat(taken[0].memory().get(Little.INT, 50_000)).isEqualTo(0x12345678);
    taken[0].close();
  }

  /** Nor are those of a piece. */
  @ParameterizedTest
  @ValueSource(strings = "shm")
  void pieceThatIsGivenIsNotMoved(String fabric) throws Exception {
    join(fabric, 2);
    Messages b = nodes.get(1);
    MessageBuffer[] taken = new MessageBuffer[1];
    Handler take =
        b.handler(
            "take",
            (in, _) -> {
              assertThat(in.receiveInt()).isEqualTo(7);
              in.skip(4); // the given piece is there, and nothing of it was copied yet
              taken[0] = in.take();
            });
    MessageBuffer buffer = filled(nodes.get(0), 100_000, 1);
    MemorySegment before = buffer.memory();
    try (OutMessage out = nodes.get(0).begin(1, 4 + 100_000, take)) {
      out.sendInt(7);
      out.give(buffer, 100_000);
    }
    assertThat(b.await(() -> taken[0] != null, 30 * SECOND_NS)).isTrue();
    before.set(Little.INT, 50_000, 0x12345678);
    assertThat(taken[0].memory().get(Little.INT, 50_000 - 4)).isEqualTo(0x12345678);
    taken[0].close();
  }

  /**
   * What a reader holds that does not extract is a quarter of the pool, and no more after it has
   * extracted for a while: both ends charge alike.
   */
  @ParameterizedTest
  @ValueSource(strings = "shm")
  void longBuffersAreChargedHalfAndAllAreKept(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int[] taken = new int[1];
    b.handler(
        "take",
        (in, from) -> {
          MessageBuffer mine = in.take();
          assertThat(mine.memory().isNative()).as("in the memory of its sender").isTrue();
          mine.close();
          taken[0]++;
        });
    a.patience(20_000_000);
    int length = 131_064;
    int given = 0;
    for (int round = 0; round < 8; round++) {
      int before = given;
      try (MessageBuffer refused = giveUntilRefused(a, length)) {
        given += refused.memory().get(Little.INT, 0);
      }
      assertThat(given - before)
          .as("buffers in round %d; up to a quarter of the window need not have been told", round)
          .isBetween(5, 8);
      int all = given;
      assertThat(b.await(() -> taken[0] == all, 30 * SECOND_NS)).isTrue();
    }
    assertThat(told).isEmpty();
  }

  /** The buffer that was refused; it begins with how many were not. */
  private static MessageBuffer giveUntilRefused(Messages fm, int length) {
    for (int count = 0; ; count++) {
      MessageBuffer buffer = fm.buffer(length);
      buffer.memory().set(Little.INT, 0, count);
      try {
        fm.give(1, Handler.named("take"), buffer, length);
      } catch (MessageException e) {
        assertThat(e.mistake()).isEqualTo(Mistake.TIMED_OUT);
        return buffer;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void buffersArePiecesOfMessages(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    List<byte[]> heard = new ArrayList<>();
    b.handler("take", (in, from) -> heard.add(in.receiveRest()));
    try (OutMessage out = a.begin(1, 4 + 1_000 + 90_000, Handler.named("take"))) {
      out.sendInt(7);
      out.give(filled(a, 1_000, 1), 1_000);
      out.give(filled(a, 100_000, 2), 90_000);
    }
    assertThat(b.await(() -> heard.size() == 1, 30 * SECOND_NS)).isTrue();
    MemorySegment all = MemorySegment.ofArray(heard.get(0));
    assertThat(all.get(Little.INT, 0)).isEqualTo(7);
    assertThat(all.asSlice(4, 1_000).mismatch(pattern(1_000, 1))).isEqualTo(-1);
    assertThat(all.asSlice(1_004).mismatch(pattern(90_000, 2))).isEqualTo(-1);
  }

  /** With the messages goes the memory of all buffers: to give one back then does nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void buffersMayBeClosedAfterTheMessages(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    List<MessageBuffer> taken = new ArrayList<>();
    Handler take = b.handler("take", (in, _) -> taken.add(in.take()));
    for (int length : new int[] {100, 5_000, 60_000}) {
      a.send(1, take, pattern(length, 1), 0, length);
      a.give(1, take, filled(a, length, 1), length);
    }
    assertThat(b.await(() -> taken.size() == 6, 30 * SECOND_NS)).isTrue();
    taken.add(b.buffer(1_000));
    b.close();
    taken.forEach(MessageBuffer::close);
    MessageBuffer own = a.buffer(1_000);
    a.close();
    own.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void bufferOfLessThanNothingIsRefused(String fabric) throws Exception {
    join(fabric, 1);
    assertThatThrownBy(() -> nodes.getFirst().buffer(-5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-5");
  }
}
