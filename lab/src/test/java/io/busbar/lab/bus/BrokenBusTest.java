package io.busbar.lab.bus;

import static io.busbar.testkit.Surgery.returns;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.testkit.BrokenClasses;
import io.busbar.testkit.Surgery;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stories' checks are checked: a bus that is broken on purpose is caught. */
@Timeout(60)
@Tag("long")
class BrokenBusTest {
  private static final int SEEDS_MAX = 60;
  private static final List<String> ROOMS =
      List.of("io.busbar.wire.", "io.busbar.fabric.", "io.busbar.bus.", "io.busbar.lab.");

  /** What is broken. */
  enum Breakage {
    ACCUSED_DOES_NOT_REFUTE,
    DIFFERENCES_NOT_TOLD,
    NOBODY_IS_SUSPECTED,
    NEWER_RECORD_IGNORED,
    ANSWER_IGNORED,
    PAUSE_NOT_FORGIVEN,
    LOST_ID_IS_KEPT,
    QUESTION_FOR_FRAMES_IGNORED,
    NOBODY_ASKS_FOR_FRAMES,
    STATUS_IGNORED,
    HELD_FRAMES_FORGOTTEN,
    EVICTED_NOT_TAKEN_IN,
    FORMER_LIFE_GOES_ON,
    WHO_COMES_BACK_IS_NOT_HEARD;

    Class<?> story() {
      return compareTo(LOST_ID_IS_KEPT) <= 0 ? BusStory.class : CastStory.class;
    }

    Surgery surgery() {
      return switch (this) {
        case QUESTION_FOR_FRAMES_IGNORED -> returns("bus.CastOut", "onNak", 0);
        case NOBODY_ASKS_FOR_FRAMES -> returns("bus.CastIn", "planNak", 0);
        case STATUS_IGNORED -> returns("bus.CastOut", "onStatus", 0);
        case HELD_FRAMES_FORGOTTEN -> returns("bus.CastIn", "deliverHeld", 0);
        case PAUSE_NOT_FORGIVEN -> returns("bus.Detector", "forgive", 0);
        case FORMER_LIFE_GOES_ON -> returns("bus.Casting", "endStreamsOf", 0);
        case WHO_COMES_BACK_IS_NOT_HEARD -> returns("bus.CastIn", "onBack", 0);
        case EVICTED_NOT_TAKEN_IN -> returns("bus.CastOut", "rejoin", 0);
        case ACCUSED_DOES_NOT_REFUTE -> returns("bus.Core", "correct", 0);
        case DIFFERENCES_NOT_TOLD -> returns("bus.Exchange", "onSync", 0);
        case NOBODY_IS_SUSPECTED -> returns("bus.Detector", "judge", 0);
        case NEWER_RECORD_IGNORED -> returns("bus.Entry", "isOlderThan", 0);
        case LOST_ID_IS_KEPT -> returns("bus.Announcer", "lose", 0);
        case ANSWER_IGNORED -> returns("bus.Detector", "onAnswer", 0);
      };
    }
  }

  private static @Nullable String hunt(Class<?> told, List<Surgery> surgeries)
      throws ReflectiveOperationException {
    BrokenClasses classes =
        new BrokenClasses(BrokenBusTest.class.getClassLoader(), ROOMS, surgeries);
    classes.loadAll();
    Class<?> story = classes.loadClass(told.getName());
    assertThat(story).isNotEqualTo(told);
    for (long seed = 1; seed <= SEEDS_MAX; seed++) {
      try {
        Object _ =
            story.getMethod("run").invoke(story.getConstructor(long.class).newInstance(seed));
      } catch (InvocationTargetException e) {
        Throwable why = Objects.requireNonNull(e.getCause());
        assertThat(why.getClass().getName()).isEqualTo("io.busbar.lab.Violation");
        return "%d seeds: %s".formatted(seed, why.getMessage());
      }
    }
    return null;
  }

  @ParameterizedTest
  @EnumSource
  void isCaught(Breakage breakage) throws ReflectiveOperationException {
    String caught = hunt(breakage.story(), List.of(breakage.surgery()));
    assertThat(caught).as("%s went unnoticed for %d seeds", breakage, SEEDS_MAX).isNotNull();
    System.out.printf("%-28s %.100s%n", breakage, caught);
  }

  @Test
  void aWholeBusIsNotCaught() throws ReflectiveOperationException {
    assertThat(hunt(BusStory.class, List.of())).isNull();
  }
}
