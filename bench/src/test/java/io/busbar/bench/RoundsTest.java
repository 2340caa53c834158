package io.busbar.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

/** Medians, ratios within a round, and the line that is printed. */
class RoundsTest {
  /** A machine that is ten times slower in one round changes values, and no ratio. */
  @Test
  void ratiosAreTakenWithinARound() {
    AtomicInteger calls = new AtomicInteger();
    DoubleSupplier slowdown = () -> calls.getAndIncrement() / 2 == 2 ? 10 : 1;
    Figure figure =
        new Rounds()
            .system("busbar", () -> 30 * slowdown.getAsDouble())
            .system("floor", () -> 10 * slowdown.getAsDouble())
            .run(0, 5)
            .figure(Figure.plain("x", "sim", 64, "rtt_p50", "us", "lower"));
    assertThat(figure.ratios().get("floor")).containsExactly(3, 3, 3);
    assertThat(figure.noise()).isGreaterThan(5);
  }

  @Test
  void warmUpDoesNotCount() {
    AtomicInteger calls = new AtomicInteger();
    Figure figure =
        new Rounds()
            .system("busbar", () -> calls.incrementAndGet() <= 3 ? 1000 : 5)
            .run(3, 5)
            .figure(Figure.plain("x", "sim", 64, "rtt_p50", "us", "lower"));
    assertThat(figure.systems()).containsEntry("busbar", 5.0);
    assertThat(figure.noise()).isZero();
  }

  @Test
  void aFigureIsOneObjectWithStableKeys() {
    Figure figure =
        Figure.plain("transport", "sim-10g", 1024, "goodput_share", "", "higher")
            .with("busbar", 0.9871)
            .also("loss", 0.01)
            .of(400, 0.02);
    assertThat(figure.json())
        .startsWith(
            "{\"bench\":\"transport\",\"case\":\"sim-10g\",\"bytes\":1024,"
                + "\"metric\":\"goodput_share\",\"unit\":\"\",\"better\":\"higher\","
                + "\"systems\":{\"busbar\":0.9871},\"loss\":0.0100,\"n\":400,\"noise\":0.0200,"
                + "\"machine\":{\"cores\":");
  }

  /** A peer that failed in one round has neither value nor ratio, and is named. */
  @Test
  void systemThatCouldNotBeMeasuredIsNull() {
    AtomicInteger calls = new AtomicInteger();
    Figure figure =
        new Rounds()
            .system("busbar", () -> 4)
            .system("aeron", () -> calls.incrementAndGet() == 3 ? Double.NaN : 2)
            .system("floor", () -> 2)
            .run(0, 5)
            .figure(Figure.plain("x", "shm", 64, "rtt_p50", "us", "lower"));
    assertThat(figure.systems()).containsEntry("aeron", null).containsEntry("floor", 2.0);
    assertThat(figure.ratios()).containsOnlyKeys("floor");
    assertThat(figure.json()).contains("\"aeron\":null");
  }

  @Test
  void roundsCanBeAddedChosenAndRenamed() {
    Rounds rounds =
        new Rounds()
            .add(Map.of("waiting", 6.0, "floor", 2.0, "busbar", 1.0))
            .add(Map.of("waiting", 9.0, "floor", 3.0, "busbar", 1.0));
    Figure figure =
        rounds
            .only("waiting", "floor")
            .renamed(Map.of("waiting", "busbar"))
            .figure(Figure.plain("x", "shm-sleep", 0, "cpu_percent", "%", "lower"));
    assertThat(rounds.size()).isEqualTo(2);
    assertThat(figure.systems()).containsOnlyKeys("busbar", "floor");
    assertThat(figure.ratios().get("floor")).containsExactly(3, 3, 3);
  }

  /** A floor that takes nothing has no ratio, and an object holds no number that is none. */
  @Test
  void nothingIsNoTimesNothing() {
    Figure figure =
        new Rounds()
            .system("busbar", () -> 0)
            .system("floor", () -> 0)
            .run(0, 3)
            .figure(Figure.plain("x", "shm", 0, "cpu_percent", "%", "lower"));
    assertThat(figure.ratios()).isEmpty();
    assertThat(figure.noise()).isZero();
    assertThat(figure.also("loss", Double.NaN).json())
        .contains("\"loss\":null,")
        .doesNotContain("NaN");
  }

  /** A machine that is slow in one round changes no step's median. */
  @Test
  void stepsAreDifferencesWithinARound() {
    Rounds rounds =
        new Rounds()
            .add(ordered("floor", 10, "nic", 12, "messages", 17))
            .add(ordered("floor", 100, "nic", 120, "messages", 170))
            .add(ordered("floor", 11, "nic", 13, "messages", 18));
    Figure added = rounds.steps().medians(Figure.plain("x", "udp", 64, "rtt_added", "us", "lower"));
    assertThat(added.systems()).containsExactly(entry("nic", 2.0), entry("messages", 5.0));
    assertThat(added.extra()).containsEntry("rounds", 3.0);
  }

  @Test
  void sharesAreTakenWithinARound() {
    Rounds times =
        new Rounds()
            .add(ordered("messages", 10, "pieces", 20, "given", 5))
            .add(ordered("messages", 30, "pieces", 60, "given", 15));
    assertThat(times.shares("messages", true).median("pieces")).isEqualTo(0.5);
    assertThat(times.shares("messages", true).median("given")).isEqualTo(2.0);
    assertThat(times.shares("messages", false).median("pieces")).isEqualTo(2.0);
    assertThat(times.shares("messages", true).median("messages")).isNull();
  }

  @Test
  void highestStepIsTheOneThatIsComparedWithTheOthers() {
    Figure figure =
        new Rounds()
            .add(ordered("floor", 10, "nic", 12, "messages", 15))
            .reversed("busbar")
            .figure(Figure.plain("x", "udp", 64, "rtt_p50", "us", "lower"));
    assertThat(figure.systems().keySet()).containsExactly("busbar", "nic", "floor");
    assertThat(figure.ratios().get("floor")).containsExactly(1.5, 1.5, 1.5);
    assertThat(new Rounds().add(Map.of("a", 4.0)).inverse().median("a")).isEqualTo(0.25);
  }

  private static Map<String, Double> ordered(
      String one, double first, String two, double second, String three, double third) {
    Map<String, Double> round = new LinkedHashMap<>();
    round.put(one, first);
    round.put(two, second);
    round.put(three, third);
    return round;
  }

  @Test
  void smallValuesKeepTheirDigits() {
    Figure figure = Figure.plain("scale", "sim", 0, "join_time", "s", "lower");
    assertThat(figure.with("busbar", 0.0000517).json()).contains("\"busbar\":0.0000517}");
    assertThat(figure.with("busbar", 0.0517).json()).contains("\"busbar\":0.0517}");
  }

  @Test
  void labelsArePlainWords() {
    Figure figure = Figure.plain("path", "udp", 1, "stage_us", "us", "lower").with("busbar", 1.0);
    assertThat(figure.label("stage", "system call").of(3, 0).aims(Aim.atMost(2)).json())
        .contains("\"better\":\"lower\",\"stage\":\"system call\",\"systems\":{\"busbar\":1}");
    assertThat(figure.readable()).contains("stage system call");
    assertThatThrownBy(() -> figure.label("stage", "a\"b")).hasMessageContaining("a\"b");
    assertThatThrownBy(() -> figure.label("stage", "a\nb")).hasMessageContaining("quotes");
  }
}
