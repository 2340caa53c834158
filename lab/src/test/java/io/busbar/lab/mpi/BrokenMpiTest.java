package io.busbar.lab.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.testkit.BrokenClasses;
import io.busbar.testkit.Surgery;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checkers are checked: an MPI that is broken on purpose is caught, and soon. */
@Tag("long")
class BrokenMpiTest {
  private static final int SEEDS_MAX = 100;
  private static final int WHOLE_SEEDS = 20;
  private static final List<String> TABLE = new ArrayList<>();

  private static final List<String> ROOMS =
      List.of(
          "io.busbar.wire.",
          "io.busbar.fabric.",
          "io.busbar.transport.",
          "io.busbar.bus.",
          "io.busbar.node.",
          "io.busbar.messages.",
          "io.busbar.mpi.",
          "io.busbar.lab.");

  private static BrokenClasses broken(List<Surgery> surgeries) {
    return new BrokenClasses(BrokenMpiTest.class.getClassLoader(), ROOMS, surgeries);
  }

  @ParameterizedTest
  @EnumSource
  void breakageIsCaught(MpiBreakage breakage) throws ReflectiveOperationException {
    BrokenClasses classes = broken(breakage.surgeries());
    classes.loadAll();
    assertThat(hunt(classes, breakage))
        .as("%s went unnoticed for %d seeds: a checker is missing", breakage, SEEDS_MAX)
        .isTrue();
  }

  /** The same classes, loaded the same way, and whole: what is caught is the breakage. */
  @Test
  void wholeMpiIsNotCaught() throws ReflectiveOperationException {
    assertThat(hunt(broken(List.of()), null)).isFalse();
  }

  private static boolean hunt(BrokenClasses classes, @Nullable MpiBreakage breakage)
      throws ReflectiveOperationException {
    Class<?> scenario = classes.loadClass(MpiScenario.class.getName());
    assertThat(scenario).isNotEqualTo(MpiScenario.class);
    Constructor<?> draw = scenario.getConstructor(long.class, int.class, Consumer.class);
    Method run = scenario.getMethod("run");
    int seeds = breakage == null ? WHOLE_SEEDS : SEEDS_MAX;
    for (long seed = 1; seed <= seeds; seed++) {
      Object outcome = invoke(run, draw.newInstance(seed, 0, null));
      Object violation = outcome.getClass().getMethod("violation").invoke(outcome);
      if (violation instanceof Throwable why && breakage != null) {
        TABLE.add(
            String.format(Locale.ROOT, "%-34s %3d  %.110s", breakage, seed, why.getMessage()));
      }
      if (violation != null) {
        return true;
      }
    }
    return false;
  }

  private static Object invoke(Method run, Object scenario) throws ReflectiveOperationException {
    try {
      return run.invoke(scenario);
    } catch (InvocationTargetException e) {
      throw new AssertionError("the lab itself failed", e.getCause());
    }
  }

  @AfterAll
  static void print() {
    System.out.printf(Locale.ROOT, "%-33s seed  what caught it%n", "broken on purpose");
    TABLE.forEach(System.out::println);
  }
}
