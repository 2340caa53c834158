package io.busbar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs are compiled once, run as many processes, and reported truthfully. */
@Timeout(60)
class RunCommandTest {
  private final PrintStream realOut = System.out;
  private final PrintStream realErr = System.err;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void catchOutput() {
    System.setOut(new PrintStream(out, true, UTF_8));
    System.setErr(new PrintStream(err, true, UTF_8));
  }

  @AfterEach
  void giveOutputBack() {
    System.setOut(realOut);
    System.setErr(realErr);
  }

  private String out() {
    return out.toString(UTF_8);
  }

  private String err() {
    return err.toString(UTF_8);
  }

  private Path source(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static int run(Object... words) {
    List<String> all = new ArrayList<>(List.of("run", "--java-opts=-XX:TieredStopAtLevel=1"));
    for (Object word : words) {
      all.add(word.toString());
    }
    return Main.run(all.toArray(String[]::new));
  }

  @Test
  void helpTeaches() {
    assertThat(Main.run("run", "--help")).isZero();
    assertThat(out())
        .contains("Usage: busbar run")
        .contains("--[no-]tag")
        .contains("BUSBAR_MEETING")
        .contains("./busbar run -n 4 Hello.java a b")
        .contains("Exit codes:");
  }

  @Test
  void everyProcessKnowsItsPlace() throws Exception {
    Path file =
        source(
            "Place.java",
            """
            import io.busbar.node.NodeException;
            import java.nio.file.*;

            class Helper {}

            public class Place {
              public static void main(String[] args) throws Exception {
                Path meeting = Path.of(System.getenv("BUSBAR_MEETING"));
                System.out.println(String.join(" ",
                    System.getenv("BUSBAR_RANK"), System.getenv("BUSBAR_SIZE"),
                    Files.getAttribute(meeting, "unix:mode").toString(),
                    System.getProperty("x") + System.getProperty("y") + System.getProperty("z"),
                    String.join("|", args), new NodeException("node").getMessage(),
                    System.getenv("BUSBAR_JOB"), meeting.toString()));
                Files.createDirectories(meeting.resolve("a" + args.length).resolve("b"));
              }
            }
            """);
    assertThat(
            run(
                "-n",
                2,
                "--java-opts=-Dx=1 -Dy=2",
                "--java-opts",
                "-Dz=3",
                file,
                "-n",
                "@a",
                "",
                "--help"))
        .as(err())
        .isZero();
    assertThat(err()).isEmpty();
    List<String> lines = out().lines().sorted().toList();
    assertThat(lines).hasSize(2);
    String mode = " " + 0x41c0 + " ";
    assertThat(lines.get(0)).startsWith("[0] 0 2" + mode + "123 -n|@a||--help node run-");
    assertThat(lines.get(1)).startsWith("[1] 1 2" + mode + "123 -n|@a||--help node run-");
    String shared = lines.get(0).substring(lines.get(0).indexOf(" run-"));
    assertThat(lines.get(1)).endsWith(shared);
    Path meeting = Path.of(shared.substring(shared.lastIndexOf(' ') + 1));
    assertThat(meeting).doesNotExist();
    assertThat(meeting.getParent()).doesNotExist();
  }

  @Test
  void linesAreNeverMixedAndNothingIsLost() throws Exception {
    Path file =
        source(
            "Lines.java",
            """
            void main() {
              String rank = System.getenv("BUSBAR_RANK");
              for (int i = 0; i < 2000; i++) {
                System.out.print("out " + rank + " " + i + " ");
                System.out.println(rank.repeat(300));
                System.err.println("err " + rank + " " + i + " " + rank.repeat(100));
              }
              System.out.print("unfinished " + rank);
            }
            """);
    assertThat(run("-n", 3, file)).isZero();
    List<String> said = out().lines().toList();
    List<String> complained = err().lines().toList();
    assertThat(said).hasSize(3 * 2001);
    assertThat(complained).hasSize(3 * 2000);
    for (int rank = 0; rank < 3; rank++) {
      String tag = "[%d] ".formatted(rank);
      List<String> expectedOut = new ArrayList<>();
      List<String> expectedErr = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        String place = rank + " " + i + " ";
        expectedOut.add(tag + "out " + place + Integer.toString(rank).repeat(300));
        expectedErr.add(tag + "err " + place + Integer.toString(rank).repeat(100));
      }
      expectedOut.add(tag + "unfinished " + rank);
      assertThat(said.stream().filter(line -> line.startsWith(tag))).isEqualTo(expectedOut);
      assertThat(complained.stream().filter(line -> line.startsWith(tag))).isEqualTo(expectedErr);
    }
  }

  /** Waits in the meeting for the others, and fails as its first argument says. */
  private Path failing() throws IOException {
    return source(
        "Failing.java",
        """
        import java.nio.file.*;

        class Failing {
          static final Path MEETING = Path.of(System.getenv("BUSBAR_MEETING"));

          public static void main(String[] args) throws Exception {
            int rank = Integer.parseInt(System.getenv("BUSBAR_RANK"));
            int size = Integer.parseInt(System.getenv("BUSBAR_SIZE"));
            long pid = ProcessHandle.current().pid();
            if (args[0].equals("stubborn")) {
              Runtime.getRuntime().addShutdownHook(new Thread(Failing::sleep));
            } else {
              Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("bye")));
            }
            System.out.println(pid);
            Files.createFile(MEETING.resolve("rank-" + rank));
            if (rank < size - 1) {
              sleep();
            }
            for (int other = 0; other < size; other++) {
              while (!Files.exists(MEETING.resolve("rank-" + other))) {
                Thread.sleep(5);
              }
            }
            if (args[0].equals("stubborn")) {
              new ProcessBuilder("kill", "-9", "" + pid).start();
              sleep();
            }
            System.exit(Integer.parseInt(args[0]));
          }

          static void sleep() {
            try {
              Thread.sleep(100_000);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        }
        """);
  }

  private void allAreGone(int size) {
    List<Long> pids =
        out().lines().filter(line -> line.matches("\\[.] \\d+")).map(RunCommandTest::pid).toList();
    assertThat(pids).hasSize(size).noneMatch(pid -> ProcessHandle.of(pid).isPresent());
  }

  private static long pid(String line) {
    return Long.parseLong(line.substring(line.indexOf(' ') + 1));
  }

  @Test
  void theFirstFailureEndsTheOthers() throws Exception {
    assertThat(run("-n", 3, failing(), 3)).isEqualTo(3);
    assertThat(err()).isEqualTo("busbar run: rank 2 ended with 3; the others were ended\n");
    assertThat(out()).contains("[0] bye\n").contains("[1] bye\n");
    allAreGone(3);
  }

  @Test
  void whoDoesNotEndWhenAskedIsKilled() throws Exception {
    long startNs = System.nanoTime();
    assertThat(run("-n", 2, failing(), "stubborn")).isEqualTo(128 + 9);
    assertThat(System.nanoTime() - startNs).isGreaterThan(Job.GRACE_NS);
    assertThat(err())
        .isEqualTo("busbar run: rank 1 was killed by signal 9; the others were ended\n");
    allAreGone(2);
  }

  @Test
  void aLoneFailureHasNoOthers() throws Exception {
    assertThat(run("--tag", failing(), 7)).isEqualTo(7);
    assertThat(err()).isEqualTo("busbar run: rank 0 ended with 7\n");
    allAreGone(1);
  }

  @Test
  void aCompileErrorIsToldAsJavacDoes() throws Exception {
    Path file = source("Wrong.java", "void main() {\n  int x = \"a\";\n}\n");
    assertThat(run("-n", 2, file)).isEqualTo(1);
    assertThat(err())
        .contains(file + ":2: error: incompatible types: String cannot be converted to int")
        .contains("  int x = \"a\";")
        .contains("1 error");
    assertThat(out()).isEmpty();
  }

  @Test
  void wrongUseEndsWithTwo() throws Exception {
    Path file = source("NoMain.java", "class NoMain { private static void main() {} }");
    assertThat(run(file)).isEqualTo(2);
    assertThat(run()).isEqualTo(2);
    assertThat(run("-n", 0, file)).isEqualTo(2);
    assertThat(run("-n", 1025, file)).isEqualTo(2);
    assertThat(run("-n", "x", file)).isEqualTo(2);
    assertThat(run("--nosuch", file)).isEqualTo(2);
    assertThat(run(folder.resolve("Nowhere.java"))).isEqualTo(2);
    assertThat(run(source("readme.txt", "hello"))).isEqualTo(2);
    assertThat(run(Files.createDirectory(folder.resolve("Folder.java")))).isEqualTo(2);
    assertThat(out()).isEmpty();
    assertThat(err())
        .contains("NoMain.java has no class with a main method; give it one")
        .contains("Missing required parameter: 'FILE.java'")
        .contains("-n is 0; it must be 1 to 1024")
        .contains("-n is 1025; it must be 1 to 1024")
        .contains("'x' is not an int")
        .contains("--nosuch")
        .contains("there is no file " + folder.resolve("Nowhere.java"))
        .contains("readme.txt is no Java source file; its name must end in .java")
        .contains("Folder.java is no file")
        .contains("See ./busbar run --help.");
  }
}
