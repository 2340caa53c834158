package io.busbar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
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

  /** For javac what MPJ Express does not have is not there; java finds it. */
  @Test
  void jarForMpjExpressLeavesNamesFree() throws Exception {
    Path jar = folder().resolve("one.jar");
    assertThat(Main.run("jar", "--mpj", jar.toString())).as(err()).isZero();
    assertThat(publicClasses(jar)).isEqualTo(OF_MPJ_EXPRESS);
    Path program =
        source(
            "Names.java",
            """
            import java.io.*;
            import mpi.*;

            public class Names {
              public static void main(String[] args) {
                MPI.Init(args);
                System.out.println(new File("name") + " " + MPI.COMM_WORLD.Size());
                MPI.Finalize();
              }
            }
            """);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    String folder = folder().toString();
    String[] words = {"-proc:none", "-cp", jar.toString(), "-d", folder, program.toString()};
    assertThat(compiler.run(null, said, said, words)).as(said.toString(UTF_8)).isZero();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                jar + ":" + folder,
                "Names")
            .redirectErrorStream(true)
            .start();
    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).isEqualTo("name 1\n");
    assertThat(process.waitFor()).isZero();
  }

  private static final Set<String> OF_MPJ_EXPRESS =
      Set.of(
          "CartParms",
          "Cartcomm",
          "Comm",
          "Datatype",
          "Errhandler",
          "Freeable",
          "GraphParms",
          "Graphcomm",
          "Group",
          "Intercomm",
          "Intracomm",
          "MPI",
          "MPIException",
          "Op",
          "Prequest",
          "Request",
          "ShiftParms",
          "Status",
          "UserFunction",
          "User_function");

  private static Set<String> publicClasses(Path jar) throws IOException {
    Set<String> found = new HashSet<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : Collections.list(file.entries())) {
        if (entry.getName().matches("mpi/\\w+\\.class")) {
          byte[] bytes = file.getInputStream(entry).readAllBytes();
          ClassModel model = ClassFile.of().parse(bytes);
          if (model.flags().has(AccessFlag.PUBLIC)) {
            found.add(model.thisClass().asInternalName().substring("mpi/".length()));
          }
        }
      }
    }
    return found;
  }
}
