package io.busbar.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Another JVM has what this one has; that it runs is seen in {@link HostProcessTest}. */
class ChildJvmTest {
  @Test
  void classOfATestIsPatchedIntoItsModule() {
    List<String> command =
        ChildJvm.command(List.of("-Xmx64m"), Guest.class, List.of("look", "bed0"));
    assertThat(command.getFirst()).startsWith(System.getProperty("java.home"));
    assertThat(command)
        .containsSequence("--module-path", System.getProperty("jdk.module.path"))
        .contains("--enable-native-access=io.busbar.linux")
        .endsWith("-Xmx64m", "--module", "io.busbar.lab/io.busbar.lab.bed.Guest", "look", "bed0");
    String patch = command.get(command.indexOf("--patch-module") + 1);
    assertThat(patch).startsWith("io.busbar.lab=");
    Path folder = Path.of(patch.substring("io.busbar.lab=".length()));
    assertThat(Files.exists(folder.resolve("io/busbar/lab/bed/Guest.class"))).isTrue();
  }

  /** A program is in no module. */
  @Test
  void programsMayCallNativeCode() {
    assertThat(ChildJvm.command(List.of(), List.of(Path.of("classes")), List.of("Main")))
        .contains("--enable-native-access=io.busbar.linux,ALL-UNNAMED")
        .endsWith("Main");
  }

  @Test
  void classOfAModuleIsNot() {
    assertThat(ChildJvm.command(List.of(), TestBed.class, List.of()))
        .doesNotContain("--patch-module")
        .endsWith("--module", "io.busbar.lab/io.busbar.lab.bed.TestBed");
  }
}
