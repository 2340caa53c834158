package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Format;
import io.busbar.wire.Options;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** A repair may not pass an edge that has moved back since the frame was first sent. */
class RepairCreditTest {
  private static final int RSEQ_AT = 32;
  private static final int ALLOC_AT = 40;
  private static final int CREDIT_AT = 28;

  private final Pair pair = Pair.listening();

  /** The receiver grants a hundred bytes, whatever it says. */
  private static byte[] starve(byte[] frame) {
    ByteBuffer bytes = ByteBuffer.wrap(frame.clone()).order(ByteOrder.LITTLE_ENDIAN);
    int format = bytes.get(0) & 0xF;
    if (format == Format.CNTL || format == Format.ECNTL) {
      bytes.putLong(ALLOC_AT, bytes.getLong(RSEQ_AT) + 100);
      bytes.putShort(CREDIT_AT, (short) 0);
    }
    return bytes.array();
  }

  @Test
  void aRepairWaitsForTheEdge() {
    long association = pair.open();
    pair.copies = frame -> frame.isData() ? 0 : 1;
    pair.a.send(association, 1_000, 1);
    pair.run(Pair.MS / 10);
    pair.copies = frame -> 0;
    pair.run(200 * Pair.MS);

    pair.copies = frame -> 1;
    pair.rewrite = RepairCreditTest::starve;
    pair.sent.clear();
    pair.run(800 * Pair.MS);
    assertThat(pair.sent.stream().filter(Sent::isData)).isEmpty();
    assertThat(pair.a.transport.counters().get(Count.CREDIT_STALLS)).isPositive();

    pair.rewrite = bytes -> bytes;
    pair.run(1_000 * Pair.MS);
    assertThat(pair.sent.stream().filter(frame -> frame.has(Options.REPAIR))).isNotEmpty();
    assertThat(pair.b.bytes.size()).isEqualTo(1_000);
  }
}
