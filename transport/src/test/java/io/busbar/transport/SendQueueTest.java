package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Header;
import io.busbar.wire.Records;
import io.busbar.wire.Seal;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The send queue against one long string of bytes. */
class SendQueueTest {
  private static final int ROOM = 1_440;

  private final List<Long> released = new ArrayList<>();
  private final QuietUser user =
      new QuietUser() {
        @Override
        public void onReleased(long association, long token, Release how) {
          released.add(token);
        }
      };
  private final Association association = QuietUser.association(user, 1);
  private final SendQueue queue = new SendQueue();
  private final FrameBuilder frame =
      new FrameBuilder(MemorySegment.ofArray(new byte[8_192]), false, Seal.NONE);

  private final ByteArrayOutputStream expected = new ByteArrayOutputStream();
  private final TreeSet<Long> messageEnds = new TreeSet<>();
  private final TreeSet<Long> entryEnds = new TreeSet<>();
  private long end;

  private void addBytes(int length, int seed, boolean ends) {
    MemorySegment segment = End.pattern(length + 5, seed);
    end = queue.add(end, segment, 5, length, entryEnds.size(), 0, ends);
    expected.writeBytes(Arrays.copyOfRange(End.patternBytes(length + 5, seed), 5, length + 5));
    noteEntry(ends);
  }

  private void addRecord(int length, int seed) {
    long header = Records.header(Records.WHOLE, 3, seed, length);
    end = queue.add(end, End.pattern(length, seed), 0, length, entryEnds.size(), header, false);
    ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, header);
    expected.writeBytes(word.array());
    expected.writeBytes(End.patternBytes(length, seed));
    expected.writeBytes(new byte[Records.padding(length)]);
    noteEntry(false);
  }

  private void noteEntry(boolean ends) {
    assertThat(end).isEqualTo(expected.size());
    entryEnds.add(end);
    if (ends) {
      messageEnds.add(end);
    }
  }

  /** Fills a frame and compares it with the string; returns where it stopped. */
  private long fill(long from, long limit) {
    frame.begin();
    int bytes = queue.fill(frame, from, limit, ROOM);
    byte[] made = new byte[frame.frameBytes()];
    frame.copyTo(MemorySegment.ofArray(made), 0);
    assertThat(Arrays.copyOfRange(made, Header.BYTES, made.length))
        .isEqualTo(Arrays.copyOfRange(expected.toByteArray(), (int) from, (int) from + bytes));
    long stop = Math.min(limit, from + ROOM);
    Long ends = messageEnds.higher(from);
    long reached = from + bytes;
    assertThat(queue.messageEnded()).isEqualTo(ends != null && ends == reached);
    if (frame.parts() < FrameBuilder.PARTS_MAX - 2) {
      assertThat(reached).isEqualTo(ends == null ? stop : Math.min(stop, ends));
    }
    return reached;
  }

  @Test
  void aFrameStopsBehindTheEndOfAMessage() {
    addBytes(10, 1, true);
    addBytes(10, 2, false);
    assertThat(fill(0, 20)).isEqualTo(10);
    assertThat(fill(10, 20)).isEqualTo(20);
    assertThat(queue.messageEnded()).isFalse();
  }

  @Test
  void anEmptyRecordIsItsHeader() {
    addRecord(0, 7);
    assertThat(end).isEqualTo(8);
    assertThat(fill(0, 8)).isEqualTo(8);
  }

  @Test
  void headersAndPaddingAreCutAnywhere() {
    addRecord(3, 1);
    addRecord(5, 2);
    for (int from = 0; from < 32; from++) {
      for (int to = from + 1; to <= 32; to++) {
        assertThat(fill(from, to)).isEqualTo(to);
      }
    }
  }

  @Test
  void buffersComeBackInOrderWhenTheirLastByteIsPassed() {
    addBytes(10, 1, false);
    addRecord(3, 2);
    addBytes(10, 3, true);
    queue.release(9, association, Release.DELIVERED);
    assertThat(released).isEmpty();
    queue.release(26, association, Release.DELIVERED);
    assertThat(released).containsExactly(0L, 1L);
    queue.release(Long.MAX_VALUE, association, Release.UNDELIVERED);
    assertThat(released).containsExactly(0L, 1L, 2L);
    assertThat(queue.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void likeOneLongString(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long acked = 0;
    long next = 0;
    for (int step = 0; step < 3_000; step++) {
      int kind = random.nextInt(6);
      if (kind == 0 || queue.size() == 0) {
        int length = random.nextInt(3) == 0 ? random.nextInt(4_000) : random.nextInt(40);
        if (random.nextBoolean()) {
          addRecord(length, step);
        } else {
          addBytes(length + 1, step, random.nextInt(3) == 0);
        }
      } else if (kind < 3 && next < end) {
        next = fill(next, next + random.nextLong(end - next) + 1);
      } else if (kind == 3 && acked < next) {
        long from = acked + random.nextLong(next - acked);
        fill(from, from + random.nextLong(next - from) + 1);
      } else if (kind == 4 && acked < next) {
        acked += random.nextLong(next - acked + 1);
        queue.release(acked, association, Release.DELIVERED);
        assertThat(released).hasSize(entryEnds.headSet(acked, true).size());
      }
    }
    for (int i = 0; i < released.size(); i++) {
      assertThat(released.get(i)).isEqualTo(i);
    }
    assertThat(released).isNotEmpty();
  }
}
