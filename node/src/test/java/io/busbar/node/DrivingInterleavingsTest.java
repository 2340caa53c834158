package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.testkit.BrokenClasses;
import io.busbar.testkit.Interleavings;
import io.busbar.testkit.Interleavings.Outcome;
import io.busbar.testkit.Interleavings.Story;
import io.busbar.testkit.Staging;
import io.busbar.testkit.Surgery;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The real {@link Driving} and {@link Caretaker}, in every order of a few threads' steps that takes
 * a few preemptions: nobody is forgotten, and nobody has the role beside another. And without one
 * of their steps, which is found.
 */
@Timeout(1800)
class DrivingInterleavingsTest {
  /** This room's classes once more, these of them on the stage. */
  private static final class StagedClasses extends BrokenClasses {
    private static final Set<String> STAGED =
        Set.of(
            Driving.class.getName(),
            Follower.class.getName(),
            Followers.class.getName(),
            Caretaker.class.getName());

    private final Staging staging = new Staging(Set.of("ROUNDS"));

    StagedClasses(List<Surgery> surgeries) {
      super(Driving.class.getClassLoader(), List.of("io.busbar.node."), surgeries);
    }

    @Override
    protected byte[] prepared(String name, byte[] compiled) {
      return STAGED.contains(name) ? staging.apply(compiled) : compiled;
    }
  }

  private static Outcome explore(Plot plot, List<Surgery> surgeries, int preemptions)
      throws ReflectiveOperationException, InterruptedException {
    Class<?> type = new StagedClasses(surgeries).loadClass(DrivingStory.class.getName());
    assertThat(type).isNotEqualTo(DrivingStory.class);
    Constructor<?> constructor = type.getDeclaredConstructor(String.class);
    constructor.setAccessible(true);
    return Interleavings.explore(preemptions, () -> story(constructor, plot));
  }

  private static Story story(Constructor<?> constructor, Plot plot) {
    try {
      return (Story) constructor.newInstance(plot.name());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertNobodyIsForgotten(Plot plot, int preemptions) throws Exception {
    Outcome outcome = explore(plot, List.of(), preemptions);
    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.orders()).as("orders").isGreaterThan(100);
  }

  @ParameterizedTest
  @EnumSource
  void nobodyIsForgotten(Plot plot) throws Exception {
    assertNobodyIsForgotten(plot, plot.preemptions);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void nobodyIsForgottenHoweverOftenTheyChange(Plot plot) throws Exception {
    assertNobodyIsForgotten(plot, plot.preemptions + 1);
  }

  /** Stories that find nothing prove nothing: one of them finds a step that is missing. */
  @ParameterizedTest
  @EnumSource
  void missingStepIsFound(Breakage breakage) throws Exception {
    assertThat(hunt(breakage))
        .as("%s went unnoticed: a story is missing", breakage)
        .containsAnyOf("AssertionError", "somebody");
  }

  private static String hunt(Breakage breakage) throws Exception {
    for (int preemptions = 0; preemptions <= 1; preemptions++) {
      for (Plot plot : Plot.values()) {
        int allowed = Math.min(preemptions, plot.preemptions);
        String failure = explore(plot, List.of(breakage.surgery()), allowed).failure();
        if (!failure.isEmpty()) {
          return failure;
        }
      }
    }
    return "";
  }
}
