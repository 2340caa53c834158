package io.busbar.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two systems whose speeds are known, on a machine that becomes faster and slower while they are
 * measured: what the harness prints of them must be what is known.
 */
class HonestyTest {
  private static final int SEEDS = 200;
  private static final int ROUNDS = 25;

  /** A machine in virtual time: its slowness wanders, and sometimes somebody else has it. */
  private static final class Machine {
    private final SplittableRandom random;
    private double slowness = 1;

    Machine(long seed) {
      random = new SplittableRandom(seed);
    }

    /** One measurement of a system that takes so long on a machine at its best. */
    double measure(double plain) {
      slowness = Math.clamp(slowness * Math.exp(random.nextGaussian() * 0.08), 1, 3);
      double own = Math.exp(random.nextGaussian() * 0.03);
      double stolen = random.nextInt(20) == 0 ? 1 + 4 * random.nextDouble() : 1;
      return plain * slowness * own * stolen;
    }
  }

  private static Figure measured(long seed, double busbar, double peer) {
    Machine machine = new Machine(seed);
    return new Rounds()
        .system("busbar", () -> machine.measure(busbar))
        .system("peer", () -> machine.measure(peer))
        .system("twin", () -> machine.measure(busbar))
        .run(2, ROUNDS)
        .figure(Figure.plain("x", "sim", 64, "rtt_p50", "us", "lower"));
  }

  private static double[] ratio(Figure figure, String other) {
    return Objects.requireNonNull(figure.ratios().get(other));
  }

  /**
   * Slower, a little faster, much faster: the ratio is the known one, and its interval holds it.
   */
  @ParameterizedTest
  @ValueSource(doubles = {1.5, 0.9, 0.1})
  void ratioIntervalAndOrderAreTheKnownOnes(double known) {
    int held = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      double[] ratio = ratio(measured(seed, 7 * known, 7), "peer");
      assertThat(ratio[0] / known).as("seed %d", seed).isBetween(0.9, 1.1);
      assertThat(ratio[0] < 1).as("who is faster, seed %d", seed).isEqualTo(known < 1);
      assertThat(ratio[1]).isLessThan(ratio[0]);
      assertThat(ratio[2]).isGreaterThan(ratio[0]);
      held += ratio[1] <= known && known <= ratio[2] ? 1 : 0;
    }
    assertThat(held).as("intervals of %d that hold what is known", SEEDS).isGreaterThan(195);
  }

  /** Nobody wins against a system that is as fast. */
  @ParameterizedTest
  @ValueSource(doubles = {1, 1000})
  void asFastIsNotFaster(double speed) {
    for (int seed = 0; seed < SEEDS; seed++) {
      double[] ratio = ratio(measured(seed, speed, 3 * speed), "twin");
      assertThat(1.0).as("seed %d", seed).isBetween(ratio[1], ratio[2]);
    }
  }

  /** The same machine without rounds, one system after the other: the reason for them. */
  @ParameterizedTest
  @ValueSource(doubles = 0.9)
  void withoutRoundsTheMachineDecides(double known) {
    int wrong = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Machine machine = new Machine(seed);
      List<Double> first = alone(machine, 7 * known);
      List<Double> second = alone(machine, 7);
      wrong += Rounds.median(first) > Rounds.median(second) ? 1 : 0;
    }
    assertThat(wrong).as("runs of %d in which the slower one wins", SEEDS).isGreaterThan(10);
  }

  private static List<Double> alone(Machine machine, double plain) {
    return DoubleStream.generate(() -> machine.measure(plain)).limit(ROUNDS).boxed().toList();
  }
}
