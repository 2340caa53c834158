package io.busbar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One jar is all that a program of MPI needs, with plain {@code java}. */
@Timeout(60)
class JarCommandTest extends RunCase {
  @Test
  void jarHoldsAllThatProgramsNeedAndNoMore() throws Exception {
    Path jar = folder().resolve("one.jar");
    assertThat(Main.run("jar", jar.toString())).as(err()).isZero();
    try (JarFile file = new JarFile(jar.toFile())) {
      List<String> names = file.stream().map(ZipEntry::getName).toList();
      assertThat(names).contains("mpi/MPI.class", "mpjbuf/Buffer.class", "mpjdev/Constants.class");
      assertThat(names).contains("io/busbar/messages/Messages.class", "io/busbar/node/Node.class");
      assertThat(names)
          .noneMatch(name -> name.startsWith("io/busbar/cli") || name.contains("module-info"))
          .noneMatch(name -> name.startsWith("picocli"));
      assertThat(file.getManifest().getMainAttributes()).doesNotContainKey("Sealed");
    }
  }

  /** Its classes are known to a loader of {@code java} alone; objects of theirs are read. */
  @Test
  void programRunsAsSourceWithPlainJava() throws Exception {
    Path jar = folder().resolve("one.jar");
    assertThat(Main.run("jar", jar.toString())).as(err()).isZero();
    Path program =
        source(
            "Points.java",
            """
            import mpi.*;

            public class Points {
              record Point(int x) implements java.io.Serializable {}

              public static void main(String[] args) {
                MPI.Init(args);
                int rank = MPI.COMM_WORLD.Rank();
                Object[] in = new Object[1];
                Object[] out = {new Point(rank)};
                MPI.COMM_WORLD.Sendrecv(
                    out, 0, 1, MPI.OBJECT, 1 - rank, 1, in, 0, 1, MPI.OBJECT, 1 - rank, 1);
                System.out.println(rank + " has " + in[0]);
                MPI.Finalize();
              }
            }
            """);
    Path meeting = Files.createDirectory(folder().resolve("meeting"));
    List<Process> all = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      ProcessBuilder builder =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  jar.toString(),
                  program.toString())
              .redirectErrorStream(true);
      builder
          .environment()
          .putAll(
              Map.of(
                  RunEnvironment.RANK,
                  Integer.toString(rank),
                  RunEnvironment.SIZE,
                  "2",
                  RunEnvironment.JOB,
                  folder().toString(),
                  RunEnvironment.MEETING,
                  meeting.toString()));
      all.add(builder.start());
    }
    for (int rank = 0; rank < 2; rank++) {
      Process process = all.get(rank);
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
      assertThat(said).isEqualTo("%d has Point[x=%d]\n".formatted(rank, 1 - rank));
    }
  }
}
