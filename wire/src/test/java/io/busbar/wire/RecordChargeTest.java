package io.busbar.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a record takes of its receiver's window. */
class RecordChargeTest {
  @Test
  void payloadsAreChargedInFull() {
    for (int kind = Records.WHOLE; kind <= Records.ALIVE; kind++) {
      for (int flags : new int[] {0, 2, 0xFE}) {
        assertThat(Records.charge(Records.header(kind, flags, 3, 100_000))).isEqualTo(100_000);
      }
    }
    assertThat(Records.charge(Records.header(Records.BODY, Bodies.LAST, 3, 100_000)))
        .as("the last piece of a body, whose flag has the same number")
        .isEqualTo(100_000);
  }

  @Test
  void longBuffersThatWerePassedAreChargedHalf() {
    int[][] expected = {
      {0, 0}, {1, 1}, {16_384, 16_384}, {16_385, 16_384}, {65_536, 32_768}, {131_064, 65_532}
    };
    for (int[] each : expected) {
      long header = Records.passed(Records.header(Records.WHOLE, 0, 3, each[0]));
      assertThat(Records.charge(header)).as("of %d", each[0]).isEqualTo(each[1]);
      assertThat(Records.length(header)).isEqualTo(each[0]);
      assertThat(Records.kind(header)).isEqualTo(Records.WHOLE);
      assertThat(Records.handler(header)).isEqualTo(3);
    }
  }
}
