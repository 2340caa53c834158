package io.busbar.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.busbar.lab.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checks are checked: an interface that breaks its word is caught, by the check that asks. */
@Tag("long")
class ConformanceKitTest {
  /** Longer than any check takes that does not hang. */
  private static final long HANGS_MS = 1_000;

  private static final long WATCHDOG_MS = 60_000;

  private static final List<String> TABLE = new ArrayList<>();

  private static NicCheck check(String name) {
    return NicConformance.checks().stream()
        .filter(check -> check.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource
  void breachIsNoticed(Breach breach) {
    long limitMs = breach == Breach.FULL_HANGS ? HANGS_MS : WATCHDOG_MS;
    Violation violation =
        catchThrowableOfType(
            Violation.class, () -> check(breach.check()).run(breach.rig(), limitMs));
    assertThat(violation).as("%s went unnoticed", breach).isNotNull();
    assertThat(violation.promise()).isEqualTo(breach.check());
    String message = String.valueOf(violation.getMessage());
    assertThat(message).doesNotContain(": threw ");
    TABLE.add(String.format(Locale.ROOT, "%-28s %s", breach, message.lines().toList().getFirst()));
  }

  @Test
  void everyCheckHasCaughtSomebody() {
    List<String> caught = Arrays.stream(Breach.values()).map(Breach::check).distinct().toList();
    assertThat(NicConformance.checks().stream().map(NicCheck::name))
        .containsExactlyInAnyOrderElementsOf(caught)
        .doesNotHaveDuplicates();
  }

  @AfterAll
  static void print() {
    TABLE.forEach(System.out::println);
  }
}
