package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What lives that have ended had sent waits for who does not extract: a credit's worth of each. */
@Timeout(120)
class LeftBehindTest extends Segment {
  private static final int LIVES = 3;
  private static final int BYTES = 1_000;
  private static final long REFUSED_NS = 300_000_000;

  /** A window of the ring and what counts beside it; over datagrams the longest window there is. */
  @ParameterizedTest
  @CsvSource({"shm, 600000", "udp, 6000000"})
  void isACreditsWorthOfEach(String fabric, int most) throws Exception {
    String[] used = fabric.equals("shm") ? new String[] {"shm", "udp"} : new String[] {fabric};
    Guest stays = join(config("left", segment().withId(1), used));
    stays.sleeps = true;
    int sum = 0;
    for (int life = 1; life <= LIVES; life++) {
      Guest comes = new Guest(config("left", segment().withId(2).expecting(2), used));
      int sent = flood(comes);
      assertThat(sent * BYTES).as("bytes of life %d", life).isBetween(BYTES, most);
      sum += sent;
      comes.close();
    }
    assertThat(stays.heard.get()).isLessThan(sum);
    stays.sleeps = false;
    awaitThat("their ends", () -> stays.count("GONE 2") == LIVES); // behind what they had sent
    awaitThat("nothing is left of them", () -> stays.messages.lives() <= 2);
    if (fabric.equals("shm")) {
      assertThat(stays.heard.get()).isEqualTo(sum);
    } else { // what a sender had kept for itself did not arrive before it left
      assertThat(stays.heard.get()).isBetween(LIVES, sum);
    }
  }

  /** As much as it may send to who takes nothing; messages. */
  private static int flood(Guest from) {
    MemorySegment bytes = MemorySegment.ofArray(new byte[BYTES]);
    int sent = 0;
    for (long takenNs = System.nanoTime(); System.nanoTime() - takenNs < REFUSED_NS; ) {
      if (from.messages.trySend(1, HEAR, bytes, 0, BYTES)) {
        takenNs = System.nanoTime();
        sent++;
      }
    }
    return sent;
  }
}
