package io.busbar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.lab.bed.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher as a process: its input, and how it ends. */
@Timeout(60)
class RunLauncherTest {
  private static final String FAST = "-XX:TieredStopAtLevel=1";

  /** The launcher's temporary files, so that what a killed one leaves goes with the test. */
  @TempDir private Path temporary = Path.of("");

  @TempDir private Path folder = Path.of("");
  private final List<ProcessHandle> started = new ArrayList<>();

  @AfterEach
  void endAll() {
    started.forEach(ProcessHandle::destroyForcibly);
  }

  private Process launch(int size, String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    return launch(List.of("run", "-n", "" + size, file.toString()));
  }

  private Process launch(List<String> words) throws IOException {
    // A build in the background may have been told to ignore SIGINT.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(
        ChildJvm.command(List.of(FAST, "-Djava.io.tmpdir=" + temporary), Main.class, words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("BUSBAR_JAVA_OPTS", FAST + " -Dof.all=yes");
    Process launcher = builder.start();
    started.add(launcher.toHandle());
    return launcher;
  }

  private static final String READER =
      """
      void main() throws Exception {
        String input = new String(System.in.readAllBytes());
        System.out.print(System.getenv("BUSBAR_RANK") + " read <" + input + ">");
        System.out.print(System.getProperty("of.all"));
      }
      """;

  private String feed(int size) throws Exception {
    Process launcher = launch(size, "Reader.java", READER);
    launcher.getOutputStream().write("one\ntwo".getBytes(UTF_8));
    launcher.getOutputStream().close();
    String text = new String(launcher.getInputStream().readAllBytes(), UTF_8);
    assertThat(launcher.waitFor()).as(text).isZero();
    return text;
  }

  @Test
  void rankZeroReadsTheInput() throws Exception {
    assertThat(feed(2).lines()).containsExactlyInAnyOrder("0 read <one", "two>yes", "1 read <>yes");
  }

  @Test
  void aLoneProcessHasInputAndOutputToItself() throws Exception {
    assertThat(feed(1)).isEqualTo("0 read <one\ntwo>yes");
  }

  private static final String SLEEPER =
      """
      void main() throws Exception {
        System.out.println(ProcessHandle.current().pid());
        Thread.sleep(100_000);
      }
      """;

  /** Starts two that sleep; returns them when they do. */
  private List<ProcessHandle> sleepers(BufferedReader output) throws IOException {
    List<ProcessHandle> sleepers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      String line = String.valueOf(output.readLine());
      assertThat(line).matches("\\d+");
      sleepers.add(ProcessHandle.of(Long.parseLong(line)).orElseThrow());
    }
    started.addAll(sleepers);
    return sleepers;
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void aSignalEndsAll(String signal, int code) throws Exception {
    Process launcher = launch(2, "Sleeper.java", SLEEPER);
    try (BufferedReader output = launcher.inputReader(UTF_8)) {
      List<ProcessHandle> sleepers = sleepers(output);
      String pid = Long.toString(launcher.pid());
      kill(signal, pid);
      assertThat(output.lines()).isEmpty();
      assertThat(launcher.waitFor()).isEqualTo(code);
      assertThat(sleepers).noneMatch(ProcessHandle::isAlive);
    }
    assertThat(left()).isEmpty();
  }

  private static void kill(String signal, String pid) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + signal, pid).start().waitFor()).isZero();
  }

  private List<Path> left() throws IOException {
    List<Path> left = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(temporary, "busbar-*")) {
      all.forEach(left::add);
    }
    return left;
  }

  /** It has files of its own besides. */
  @ParameterizedTest
  @CsvSource({"INT, 130", "KILL, 137"})
  void aDemonstrationThatIsEndedLeavesNothingForTheNext(String signal, int code) throws Exception {
    Process launcher = launch(List.of("demo", "-n", "2"));
    try (BufferedReader output = launcher.inputReader(UTF_8)) {
      String line = "";
      while (!line.contains("measuring")) {
        line = String.valueOf(output.readLine());
        assertThat(line).isNotEqualTo("null");
      }
      kill(signal, Long.toString(launcher.pid()));
      List<String> _ = output.lines().toList(); // to its end
    }
    assertThat(launcher.waitFor()).isEqualTo(code);
    if (signal.equals("KILL")) {
      RunFolder.create(temporary).close(); // as the next one does
    }
    assertThat(left()).isEmpty();
  }

  @Test
  void aKilledLauncherTakesItsProcessesAlong() throws Exception {
    Process launcher = launch(2, "Sleeper.java", SLEEPER);
    try (BufferedReader output = launcher.inputReader(UTF_8)) {
      List<ProcessHandle> sleepers = sleepers(output);
      launcher.toHandle().destroyForcibly();
      for (ProcessHandle sleeper : sleepers) {
        sleeper.onExit().get(30, TimeUnit.SECONDS);
      }
      assertThat(launcher.waitFor()).isEqualTo(137);
    }
    Path dead = left().getFirst();
    try (RunFolder next = RunFolder.create(temporary);
        RunFolder last = RunFolder.create(temporary)) {
      assertThat(dead).doesNotExist();
      assertThat(next.meeting()).isEmptyDirectory();
      assertThat(last.meeting()).isEmptyDirectory();
    }
    assertThat(left()).isEmpty();
  }
}
