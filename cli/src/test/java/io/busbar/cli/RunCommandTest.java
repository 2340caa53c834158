package io.busbar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs are compiled once, run as many processes, and reported truthfully. */
@Timeout(60)
class RunCommandTest extends RunCase {
  @Test
  void helpTeaches() {
    assertThat(Main.run("run", "--help")).isZero();
    assertThat(out())
        .contains("Usage: busbar run")
        .contains("--label")
        .contains("BUSBAR_MEETING")
        .contains("./busbar run -n 4 Hello.java a b")
        .contains("Exit codes:");
  }

  @Test
  void carriersAreThoseThatWereAskedFor() throws Exception {
    Path file =
        source(
            "Carried.java",
            """
            import io.busbar.messages.*;
            import io.busbar.node.NodeConfig;

            class Carried {
              public static void main(String[] args) throws Exception {
                NodeConfig config = NodeConfig.defaults();
                try (Messages fm = Messages.join(config, MessageEvents.NONE)) {
                  System.out.println(config.fabrics() + " " + fm.node().choices());
                }
              }
            }
            """);
    assertThat(run("-n", 2, "--label", file)).as(err()).isZero();
    assertThat(out()).contains("[0] [shm, packet|udp] {1=shm}", "[1] [shm, packet|udp] {0=shm}");
    assertThat(run("-n", 2, "--label", "--fabric", "udp", file)).as(err()).isZero();
    assertThat(out()).contains("[0] [udp] {1=udp}", "[1] [udp] {0=udp}");
    assertThat(run("-n", 2, "--fabric", "packet|udp", file)).as(err()).isZero();
    assertThat(out()).contains("{1=udp, because 127.0.0.1 is on lo, which is no Ethernet");
    assertThat(run("--fabric", "carrier-pigeon", file)).isEqualTo(2);
    assertThat(err())
        .contains("--fabric is carrier-pigeon: there is no fabric carrier-pigeon; allowed: shm,");
    assertThat(run("--fabric", "shm|udp", file)).isEqualTo(2);
    assertThat(err()).contains("shared memory is not measured against others; write shm,udp");
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
    assertThat(lines.get(0)).startsWith("0 2" + mode + "123 -n|@a||--help node run-");
    assertThat(lines.get(1)).startsWith("1 2" + mode + "123 -n|@a||--help node run-");
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
    assertThat(run("-n", 3, "--label", file)).isZero();
    List<String> said = out().lines().toList();
    List<String> complained = err().lines().toList();
    assertThat(said).hasSize(3 * 2001);
    assertThat(complained).hasSize(3 * 2000);
    for (int rank = 0; rank < 3; rank++) {
      String label = "[%d] ".formatted(rank);
      List<String> expectedOut = new ArrayList<>();
      List<String> expectedErr = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        String place = rank + " " + i + " ";
        expectedOut.add(label + "out " + place + Integer.toString(rank).repeat(300));
        expectedErr.add(label + "err " + place + Integer.toString(rank).repeat(100));
      }
      expectedOut.add(label + "unfinished " + rank);
      assertThat(said.stream().filter(line -> line.startsWith(label))).isEqualTo(expectedOut);
      assertThat(complained.stream().filter(line -> line.startsWith(label))).isEqualTo(expectedErr);
    }
  }

  /** Whoever reads the output of a program reads what it wrote, and no more. */
  @Test
  void linesAreLabelledOnDemand() throws Exception {
    Path file = source("Says.java", "void main() { IO.println(1); System.err.println(2); }");
    assertThat(run("-n", 3, file)).isZero();
    assertThat(out()).isEqualTo("1\n".repeat(3));
    assertThat(err()).isEqualTo("2\n".repeat(3));
    assertThat(run("--label", file)).isZero();
    assertThat(out()).endsWith("1\n[0] 1\n");
    assertThat(err()).endsWith("2\n[0] 2\n");
    assertThat(run("-n", 2, "--label", file)).isZero();
    assertThat(out()).contains("[0] 1\n", "[1] 1\n");
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
    assertThat(run(folder().resolve("Nowhere.java"))).isEqualTo(2);
    assertThat(run(source("readme.txt", "hello"))).isEqualTo(2);
    assertThat(run(Files.createDirectory(folder().resolve("Folder.java")))).isEqualTo(2);
    assertThat(out()).isEmpty();
    assertThat(err())
        .contains("NoMain.java has no class with a main method; give it one")
        .contains("Missing required parameter: 'FILE.java'")
        .contains("-n is 0; it must be 1 to 1024")
        .contains("-n is 1025; it must be 1 to 1024")
        .contains("'x' is not an int")
        .contains("--nosuch")
        .contains("there is no file " + folder().resolve("Nowhere.java"))
        .contains("readme.txt is no Java source file; its name must end in .java")
        .contains("Folder.java is no file")
        .contains("See ./busbar run --help.");
  }
}
