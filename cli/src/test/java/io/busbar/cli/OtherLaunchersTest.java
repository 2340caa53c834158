package io.busbar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.lab.bed.ChildJvm;
import io.busbar.lab.bed.Packages;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MPI programs under the launchers of other MPIs; what the machine lacks of those is installed. */
@Tag("long")
@Timeout(60)
class OtherLaunchersTest extends RunCase {
  @BeforeAll
  static void install() {
    Packages packages = new Packages(true, System.err::println);
    packages.need("mpirun.openmpi", List.of("openmpi-bin"));
    packages.need("mpiexec.hydra", List.of("mpich"));
  }

  private List<String> ring() throws IOException {
    Path classes = Files.createDirectory(folder().resolve("classes"));
    Path source = Path.of("..", "examples", "Ring.java");
    Compiled compiled = Compiled.from(source, List.of(), classes, new StringWriter());
    String main = Objects.requireNonNull(compiled.main());
    return ChildJvm.command(
        List.of("-XX:TieredStopAtLevel=1"), List.of(classes), List.of(main, "10"));
  }

  @ParameterizedTest
  @CsvSource({"mpirun.openmpi --allow-run-as-root --oversubscribe -n 3", "mpiexec.hydra -n 3"})
  void ringRuns(String launcher) throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher.split(" ", -1)));
    command.addAll(ring());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("BUSBAR_JOB", folder().toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).contains("after 10 rounds of 3 the token is 30");
  }

  /** The line of docs/mpi.md: plain {@code java}, one jar, and the program's classes. */
  @ParameterizedTest
  @CsvSource({"mpirun.openmpi --allow-run-as-root --oversubscribe -n 3", "mpiexec.hydra -n 3"})
  void ringRunsWithOneJar(String launcher) throws Exception {
    Path jar = folder().resolve("busbar-mpi.jar");
    assertThat(Main.run("jar", jar.toString())).as(err()).isZero();
    Path classes = Files.createDirectory(folder().resolve("classes"));
    Path source = Path.of("..", "examples", "Ring.java");
    assertThat(Compiled.from(source, List.of(), classes, new StringWriter()).clean()).isTrue();
    List<String> command = new ArrayList<>(List.of(launcher.split(" ", -1)));
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            jar + File.pathSeparator + classes,
            "Ring",
            "10"));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("BUSBAR_JOB", folder().toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).contains("after 10 rounds of 3 the token is 30");
  }
}
