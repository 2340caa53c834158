package io.busbar.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.testkit.Interleavings.Outcome;
import io.busbar.testkit.Interleavings.Story;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The explorer is explored: it finds what it should, with as many preemptions as that takes. */
@Timeout(60)
class InterleavingsTest {
  private static final Set<String> STAGED =
      Set.of(Specimens.Counter.class.getName(), Specimens.Gate.class.getName());

  private static Outcome explore(Class<? extends Story> story, int preemptions) throws Exception {
    BrokenClasses classes =
        new BrokenClasses(
            InterleavingsTest.class.getClassLoader(),
            List.of(Specimens.class.getName()),
            List.of()) {
          @Override
          protected byte[] prepared(String name, byte[] compiled) {
            return STAGED.contains(name) ? new Staging(Set.of()).apply(compiled) : compiled;
          }
        };
    Constructor<?> constructor = classes.loadClass(story.getName()).getDeclaredConstructor();
    constructor.setAccessible(true);
    return Interleavings.explore(
        preemptions,
        () -> {
          try {
            return (Story) constructor.newInstance();
          } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  void lostUpdateTakesOnePreemption() throws Exception {
    assertThat(explore(Specimens.LostUpdate.class, 0).failure()).isEmpty();
    assertThat(explore(Specimens.LostUpdate.class, 1).failure()).contains("counted 1");
  }

  /** Two threads of two and two steps each: six orders. */
  @Test
  void allOrdersAreTried() throws Exception {
    assertThat(explore(Specimens.TwoSteps.class, 0)).isEqualTo(new Outcome(2, ""));
    assertThat(explore(Specimens.TwoSteps.class, 9).orders()).isGreaterThanOrEqualTo(6);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void parkedThreadIsWokenHoweverEarlyItIsTold(int preemptions) throws Exception {
    assertThat(explore(Specimens.Woken.class, preemptions).failure()).isEmpty();
  }

  @Test
  void sleeperWhomNobodyWakesIsFound() throws Exception {
    assertThat(explore(Specimens.TooEarly.class, 1).failure())
        .contains("nobody can ever go on")
        .contains("sleeper: parks");
  }

  @Test
  void timePassesWhenAllWait() throws Exception {
    assertThat(explore(Specimens.Patient.class, 1).failure()).isEmpty();
  }

  @Test
  void spinnerLetsOthersGoFirst() throws Exception {
    assertThat(explore(Specimens.Spins.class, 2).failure()).isEmpty();
  }

  @Test
  void weakAccessIsRefused() throws Exception {
    String name = Specimens.Weak.class.getName().replace('.', '/') + ".class";
    byte[] compiled;
    try (var in = InterleavingsTest.class.getClassLoader().getResourceAsStream(name)) {
      compiled = in == null ? new byte[0] : in.readAllBytes();
    }
    assertThatThrownBy(() -> new Staging(Set.of()).apply(compiled))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("WORD with getOpaque");
    assertThat(new Staging(Set.of("WORD")).apply(compiled)).isNotEmpty();
  }
}
