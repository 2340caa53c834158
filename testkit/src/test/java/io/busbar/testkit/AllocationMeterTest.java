package io.busbar.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/**
 * The meter sees what is allocated. An object that only the loop sees does not count: the compiler
 * takes it away, so these tests let theirs escape.
 */
class AllocationMeterTest {
  private final AllocationMeter meter = new AllocationMeter();
  private volatile Object escaped = this;
  private long count;

  @Test
  void anObjectPerCallIsSeen() {
    assertThatThrownBy(() -> meter.assertAllocatesNothing(() -> escaped = new byte[1]))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("bytes");
    assertThatThrownBy(() -> meter.assertAllocatesHardly(() -> escaped = new byte[1]))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void anObjectPerFiftyCallsIsSeen() {
    assertThatThrownBy(
            () ->
                meter.assertAllocatesNothing(
                    () -> {
                      if (++count % 50 == 0) {
                        escaped = new byte[1];
                      }
                    }))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void aLoopThatAllocatesIsSeen() {
    assertThatThrownBy(() -> meter.assertLoopAllocatesNothing(() -> escaped = new byte[2000]))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void aCallThatAllocatesNothingPasses() {
    meter.assertAllocatesNothing(() -> count++);
    meter.assertAllocatesHardly(() -> count++);
    meter.assertLoopAllocatesNothing(() -> count++);
    assertThat(count).isGreaterThan(20_000);
  }

  @Test
  void bytesAreCounted() {
    long before = meter.bytes();
    escaped = new byte[100_000];
    assertThat(meter.bytes() - before).isBetween(100_000L, 200_000L);
  }
}
