package io.busbar.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.CastBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import io.busbar.wire.Key;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Node 1 speaks; what its readers say of themselves decides whom it waits for, and how long. */
class SlowReadersTest extends CastReading {
  private static final int LONG_BYTES = 16 << 10;
  private static final int RECORD_BYTES = 1024;
  private static final long OWN_KEY = Key.of(0, 0, LIFE);

  private final CastOut out = casting.open(nowNs, 0, 0, member -> true);
  private final List<Integer> evicted = new ArrayList<>();
  private final List<Integer> dataBytes = new ArrayList<>();
  private int polls;
  private long next;
  private int longest;

  @Override
  public int frameBytesMax() {
    return longest;
  }

  @Override
  public boolean toAll(FrameBuilder built) {
    byte[] bytes = new byte[built.frameBytes()];
    built.copyTo(MemorySegment.ofArray(bytes), 0);
    FrameView view = new FrameView();
    assertThat(view.wrap(MemorySegment.ofArray(bytes), 0, bytes.length).ok()).isTrue();
    if (view.format() == Format.CAST) {
      dataBytes.add(view.length());
      next = view.seq() + 1;
    } else if (CastBlock.kind(view) == CastBlock.POLL) {
      polls++;
    }
    return true;
  }

  @Override
  public void onEvicted(CastOut stream, int reader) {
    evicted.add(reader);
  }

  private boolean put() {
    MemorySegment record = MemorySegment.ofArray(new byte[RECORD_BYTES]);
    return casting.trySend(out, Records.header(Records.WHOLE, 0, 1, RECORD_BYTES), record, 0, true);
  }

  private void fill() {
    while (put()) {}
  }

  /** As time goes by, as far as this node wants to be called. */
  private void run(long ns) {
    for (long end = nowNs + ns; nowNs < end; nowNs += MS) {
      while (casting.dueNs() <= nowNs) {
        long _ = casting.poll(nowNs);
      }
    }
  }

  private void status(int reader, long life, long has, long limit) {
    Header.write(frame, 0, Format.CASTC, 0, CastBlock.BYTES, ID, reader, OWN_KEY, life, 0, 0, 0);
    CastBlock.write(frame, Header.BYTES, CastBlock.STATUS, 0, 0, has, limit, 0);
    assertThat(casting.onFrame(nowNs, frame, 0, Header.BYTES + CastBlock.BYTES)).isTrue();
  }

  /** It had all, and takes nothing: whoever speaks next is not left waiting for it for ever. */
  @Test
  void whoTakesNoMoreWhenAllWasHeardIsAskedAndEvicted() {
    assertThat(put()).isTrue();
    run(MS);
    status(2, SENDER_LIFE, next, next);
    assertThat(out.unsettledBytes()).isZero();
    polls = 0;
    assertThat(put()).isTrue();
    run(CastConfig.PACE_NS / 2);
    assertThat(polls).isBetween(10, 100);
    assertThat(evicted).isEmpty();
    run(CastConfig.PACE_NS);
    assertThat(evicted).containsExactly(2);
  }

  /** The others allow as few frames as they did while those were long. */
  @Test
  void whoIsUpToDateIsNotEvictedWithOneWhoIsNot() {
    casting.onMember(nowNs, member(3, 1003));
    longest = LONG_BYTES;
    long few = CastConfig.WINDOW_MAX / 12;
    for (int i = 0; i < 3; i++) {
      fill();
      run(10 * MS);
      status(2, SENDER_LIFE, next, next + few);
      status(3, 1003, next, next + few);
    }
    long stopped = next;
    longest = 0;
    for (long end = nowNs + 2 * CastConfig.PACE_NS; nowNs < end && evicted.isEmpty(); ) {
      fill();
      run(100 * MS);
      status(2, SENDER_LIFE, next, next + few);
    }
    assertThat(next).isGreaterThan(stopped);
    assertThat(evicted).containsExactly(3);
  }

  /** What waited for a life that is over is for nobody. */
  @Test
  void whatNobodyWaitsForIsNotSent() {
    longest = LONG_BYTES;
    fill();
    run(10 * MS);
    status(2, SENDER_LIFE, next, next);
    fill();
    dataBytes.clear();
    casting.onMember(nowNs, member(2, SENDER_LIFE + 1));
    run(10 * MS);
    assertThat(dataBytes).isEmpty();
    assertThat(out.unsettledBytes()).isZero();
    assertThat(put()).isTrue();
    run(10 * MS);
    assertThat(dataBytes).containsExactly((int) Records.streamBytes(RECORD_BYTES));
  }

  /** Of a long frame whose reader is met by another carrier nothing can be sent again. */
  @Test
  void whoIsMetByACarrierOfShortFramesBeginsBehindLongOnes() {
    longest = LONG_BYTES;
    fill();
    run(10 * MS);
    casting.onShorter(nowNs, 2);
    assertThat(out.unsettledBytes()).isZero();
    longest = 0;
    casting.onMember(nowNs, member(2, SENDER_LIFE));
    fill();
    run(10 * MS);
    casting.onShorter(nowNs, 2);
    assertThat(out.unsettledBytes()).as("short ones can be repaired").isPositive();
  }

  /** Each frame asks one reader: with many readers a window has more, shorter frames. */
  @Test
  void aWindowHasTwoFramesForEachReader() {
    int readers = 200;
    for (int id = 3; id < 2 + readers; id++) {
      casting.onMember(nowNs, member(id, 1000 + id));
    }
    longest = LONG_BYTES;
    fill();
    run(10 * MS);
    assertThat(dataBytes).hasSizeGreaterThanOrEqualTo(256);
    int most = CastConfig.WINDOW_MAX * 1440 / (2 * readers);
    assertThat(dataBytes).allMatch(bytes -> bytes <= most).anyMatch(bytes -> bytes > most / 2);
  }
}
