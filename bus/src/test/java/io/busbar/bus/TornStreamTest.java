package io.busbar.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.CastBlock;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** A stream whose bytes make no sense is heard from another place on, and that is told. */
class TornStreamTest extends CastReading {
  private static final int NONSENSE_BYTES = 104;

  @Override
  public void onBytes(CastIn in, MemorySegment memory, long at, int length) {
    super.onBytes(in, memory, at, length);
    if (length == NONSENSE_BYTES) {
      casting.tear(nowNs, in);
    }
  }

  private void welcome(long start) {
    hear(control(CastBlock.WELCOME, KEY, SENDER_LIFE, ID, LIFE, start));
  }

  @Test
  void itGoesOnWhereItsReaderIsTakenInAgain() {
    welcome(0);
    hear(data(2, 64)); // held, and not given to who can make nothing of what is before it
    hear(data(0, 72));
    hear(data(1, NONSENSE_BYTES));
    hear(data(3, 64));
    assertThat(told).containsExactly("begin 2", "bytes 72", "bytes 104", "evicted by 2");
    assertThat(casting.count(CastCount.DROP_UNSOUND)).isEqualTo(1);
    int before = sent;
    nowNs += 100 * MS;
    long _ = casting.poll(nowNs);
    assertThat(sent).as("it asks to be taken in").isGreaterThan(before);
    told.clear();
    welcome(4);
    hear(data(4, 80));
    assertThat(told).containsExactly("gap 4", "bytes 80");
  }

  /** The sender has said nothing since: the nonsense was somebody else's. */
  @Test
  void nothingNeedsToFollow() {
    welcome(0);
    hear(data(0, 72));
    hear(data(1, NONSENSE_BYTES));
    told.clear();
    welcome(1);
    hear(data(1, 80));
    assertThat(told).containsExactly("gap 1", "bytes 80");
  }
}
