package io.busbar.lab;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.busbar.messages.Messages;
import io.busbar.transport.Transport;
import io.busbar.wire.FrameView;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What module descriptors cannot say: protocols read no clock, start no thread, draw no luck of
 * their own and do no input or output. And once more what they do say: rooms stand on each other in
 * one order.
 */
class ArchitectureTest {
  /** A room may depend on the rooms before it. */
  private static final List<String> STACK =
      List.of(
          "linux",
          "memory",
          "wire",
          "fabric",
          "transport",
          "bus",
          "node",
          "messages",
          "vi",
          "shmem",
          "mpi",
          "sockets",
          "monitor",
          "exec",
          "lab",
          "bench",
          "cli");

  private static final JavaClasses PROTOCOLS =
      new ClassFileImporter()
          .importPackages("io.busbar.wire", "io.busbar.transport", "io.busbar.bus");

  private static final JavaClasses MESSAGES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.busbar.messages");

  private static final JavaClasses ROOMS =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("/testkit/")) // only tests stand on it
          .importPackages("io.busbar");

  @Test
  void theRulesLookAtTheRooms() {
    assertThat(PROTOCOLS.contain(FrameView.class)).isTrue();
    assertThat(PROTOCOLS.contain(Transport.class)).isTrue();
    assertThat(PROTOCOLS.contain(Scenario.class)).isFalse();
    assertThat(ROOMS.contain(Scenario.class)).isTrue();
    assertThat(ROOMS.contain(Transport.class)).isTrue();
    assertThat(ROOMS.contain(ArchitectureTest.class)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void protocolsKeepTheBan(Ban ban) {
    ban.rule().check(PROTOCOLS);
  }

  /** The whole stack runs in virtual time: messages ask their place for the time. */
  @ParameterizedTest
  @EnumSource(names = {"CLOCKS", "LUCK", "INPUT_AND_OUTPUT"})
  void messagesKeepTheBan(Ban ban) {
    assertThat(MESSAGES.contain(Messages.class)).isTrue();
    ban.rule().check(MESSAGES);
  }

  /** A rule that cannot fail is none: each finds every one of its offenders. */
  @ParameterizedTest
  @EnumSource
  void banFindsItsOffenders(Ban ban) {
    assertThat(ban.offenders()).isNotEmpty();
    for (Class<?> offender : ban.offenders()) {
      JavaClasses offending = new ClassFileImporter().importClasses(offender);
      assertThat(ban.rule().evaluate(offending).hasViolation())
          .as("%s against %s", ban, offender.getSimpleName())
          .isTrue();
    }
  }

  @Test
  void roomsStandOnRoomsBeforeThem() {
    for (int i = 0; i < STACK.size() - 1; i++) {
      standsOnlyOnFormer(STACK, i).check(ROOMS);
    }
  }

  @Test
  void roomThatStandsOnALaterOneIsFound() {
    List<String> reversed = List.of("lab", "transport", "wire");
    assertThat(standsOnlyOnFormer(reversed, 0).evaluate(ROOMS).hasViolation()).isTrue();
    assertThat(standsOnlyOnFormer(reversed, 1).evaluate(ROOMS).hasViolation()).isTrue();
  }

  @Test
  void everyRoomHasItsPlace() {
    assertThat(ROOMS).allMatch(found -> STACK.stream().anyMatch(room -> isIn(room, found)));
  }

  private static boolean isIn(String room, JavaClass found) {
    return (found.getPackageName() + ".").startsWith("io.busbar.%s.".formatted(room));
  }

  private static ArchRule standsOnlyOnFormer(List<String> stack, int room) {
    String[] later =
        stack.subList(room + 1, stack.size()).stream()
            .map(name -> "io.busbar.%s..".formatted(name))
            .toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAPackage("io.busbar.%s..".formatted(stack.get(room)))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(later)
        .allowEmptyShould(true);
  }
}
