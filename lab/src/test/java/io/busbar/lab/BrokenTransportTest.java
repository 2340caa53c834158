package io.busbar.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.testkit.BrokenClasses;
import io.busbar.testkit.Surgery;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checkers are checked: a transport that is broken on purpose is caught, and soon. */
@Tag("long")
class BrokenTransportTest {
  private static final int SEEDS_MAX = 200;
  private static final List<String> TABLE = new ArrayList<>();

  /** The protocol rooms and the lab. */
  private static final List<String> ROOMS =
      List.of("io.busbar.wire.", "io.busbar.fabric.", "io.busbar.transport.", "io.busbar.lab.");

  /** What caught a broken transport. */
  private record Catch(int seeds, String promise, String message) {}

  private static BrokenClasses broken(List<Surgery> surgeries) {
    return new BrokenClasses(BrokenTransportTest.class.getClassLoader(), ROOMS, surgeries);
  }

  @ParameterizedTest
  @EnumSource
  void isCaught(Breakage breakage) throws ReflectiveOperationException {
    BrokenClasses classes = broken(breakage.surgeries());
    classes.loadAll();
    Catch caught = hunt(classes);
    assertThat(caught)
        .as("%s went unnoticed for %d seeds: a checker is missing", breakage, SEEDS_MAX)
        .isNotNull();
    if (caught != null) {
      TABLE.add(
          String.format(
              Locale.ROOT,
              "%-30s %3d  %-34s %s",
              breakage,
              caught.seeds,
              caught.promise,
              caught.message));
    }
  }

  /** The same classes, loaded the same way, and whole: what is caught is the breakage. */
  @Test
  void wholeTransportIsNotCaught() throws ReflectiveOperationException {
    assertThat(hunt(broken(List.of()))).isNull();
  }

  @Test
  void breakageOfWhatIsGoneIsNoticed() {
    Surgery gone = Surgery.returns("transport.StreamIn", "noSuchMethod", 0);
    assertThatThrownBy(() -> broken(List.of(gone)).loadAll())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("StreamIn.noSuchMethod");
    Surgery goneClass = Surgery.returns("transport.NoSuchClass", "any", 0);
    assertThatThrownBy(() -> broken(List.of(goneClass)).loadAll())
        .isInstanceOf(ClassNotFoundException.class);
  }

  /** Runs seed after seed; an error of the virtual machine's is no catch, and fails. */
  private static @Nullable Catch hunt(BrokenClasses classes) throws ReflectiveOperationException {
    Class<?> scenario = classes.loadClass(Scenario.class.getName());
    assertThat(scenario).isNotEqualTo(Scenario.class);
    Constructor<?> draw = scenario.getConstructor(long.class);
    Method run = scenario.getMethod("run", classes.loadClass(Network.Watcher.class.getName()));
    for (int seed = 1; seed <= SEEDS_MAX; seed++) {
      Object outcome = invoke(run, draw.newInstance((long) seed));
      Object violation = outcome.getClass().getMethod("violation").invoke(outcome);
      if (violation != null) {
        String promise = (String) violation.getClass().getMethod("promise").invoke(violation);
        String message = String.valueOf(((Throwable) violation).getMessage());
        return new Catch(seed, promise, message.substring(promise.length() + 2));
      }
    }
    return null;
  }

  private static Object invoke(Method run, Object scenario) throws ReflectiveOperationException {
    try {
      return run.invoke(scenario, new Object[1]);
    } catch (InvocationTargetException e) {
      throw new AssertionError("the lab itself failed", e.getCause());
    }
  }

  @AfterAll
  static void print() {
    System.out.printf(Locale.ROOT, "%-30s seeds promise%n", "broken on purpose");
    TABLE.forEach(System.out::println);
  }
}
