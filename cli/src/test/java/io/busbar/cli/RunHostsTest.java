package io.busbar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.lab.bed.TestBed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes on other hosts, for which a script stands in that is used as ssh is. */
@Timeout(60)
class RunHostsTest extends RunCase {
  private Path script(String text) throws IOException {
    Path script = source("ssh", "#!/bin/sh\nhost=$1\nshift\n" + text + "\n");
    return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
  }

  /** Everything is this host, and says so; another launcher left its variables there. */
  private Path here() throws IOException {
    return script("PMI_RANK=9 PMI_SIZE=9 AT=$host exec sh -c \"$*\"");
  }

  @Test
  void ranksAreWhereTheyWerePut() throws Exception {
    Path file =
        source(
            "Where.java",
            """
            void main(String[] args) {
              IO.println(System.getenv("BUSBAR_RANK") + " of " + System.getenv("BUSBAR_SIZE")
                  + " at " + System.getenv("AT") + " seeds " + System.getenv("BUSBAR_SEEDS")
                  + " meeting " + System.getenv("BUSBAR_MEETING")
                  + " pmi " + System.getenv("PMI_RANK") + " " + String.join("|", args));
            }
            """);
    assertThat(
            run(
                "--label",
                "--ssh",
                here(),
                "--hosts",
                "10.9.0.2:2,10.9.0.1",
                file,
                "it's",
                "",
                "$x"))
        .as(err())
        .isZero();
    String rest = " seeds 10.9.0.2,10.9.0.1 meeting null pmi null it's||$x";
    assertThat(out().lines())
        .containsExactlyInAnyOrder(
            "[0] 0 of 3 at 10.9.0.2" + rest,
            "[1] 1 of 3 at 10.9.0.2" + rest,
            "[2] 2 of 3 at 10.9.0.1" + rest);
  }

  /** The failure of one ends the others, though they hear of nothing but their connection. */
  @Test
  void firstFailureEndsAll() throws Exception {
    Path file =
        source(
            "Fails.java",
            """
            void main(String[] args) throws Exception {
              java.nio.file.Path mark = java.nio.file.Path.of(args[0]);
              if (System.getenv("BUSBAR_RANK").equals("0")) {
                IO.println(ProcessHandle.current().pid());
                java.nio.file.Files.createFile(mark);
                Thread.sleep(100_000);
              }
              while (!java.nio.file.Files.exists(mark)) {
                Thread.sleep(5);
              }
              System.exit(7);
            }
            """);
    Path mark = folder().resolve("mark");
    assertThat(run("--ssh", here(), "--hosts", "a,b", file, mark)).isEqualTo(7);
    assertThat(err()).isEqualTo("busbar run: rank 1 on b ended with 7; the others were ended\n");
    isGone(Long.parseLong(out().strip()));
  }

  /** What they say of their waits comes among what the program writes, and is not seen there. */
  @Test
  void deadlockOfHostsIsShownAndEnded() throws Exception {
    Path file =
        source(
            "Dead.java",
            """
            import mpi.*;

            class Dead {
              public static void main(String[] args) throws Exception {
                MPI.Init(args);
                System.err.print("said by ");
                System.err.flush();
                Thread.sleep(600);
                System.err.println(MPI.COMM_WORLD.getRank());
                MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 1 - MPI.COMM_WORLD.getRank(), 7);
              }
            }
            """);
    Path ssh = script("BUSBAR_HOST=127.0.0.1 exec sh -c \"$*\"");
    assertThat(run("--ssh", ssh, "--hosts", "127.0.0.1:2", "--watch-deadlock=0.5", "--label", file))
        .isEqualTo(1);
    assertThat(err())
        .contains("[0] said by 0\n", "[1] said by 1\n")
        .containsPattern("0 +recv +receive +1 +7 +MPI_COMM_WORLD +[0-9.]+ s +Dead.main.Dead.java:")
        .containsPattern("1 +recv +receive +0 +7 +MPI_COMM_WORLD +[0-9.]+ s +Dead.main.Dead.java:")
        .endsWith(
            "busbar run: deadlock: rank 0 waits for rank 1, rank 1 waits for rank 0; all were"
                + " ended\n");
    assertThat(err().chars()) // a rank that ends later may say so with a trace, which has tabs
        .allMatch(c -> c >= ' ' || c == '\n' || c == '\t');
  }

  private static void isGone(long pid) throws Exception {
    var process = ProcessHandle.of(pid);
    if (process.isPresent()) {
      ProcessHandle _ = process.get().onExit().get(10, TimeUnit.SECONDS);
    }
  }

  /** As on a host that has another folder for what is temporary. */
  @Test
  void whatIsMissingThereIsNamed() throws Exception {
    Path file = source("Never.java", "void main() {}");
    Path ssh = script("exec sh -c \"$(echo \"$*\" | sed 's/busbar-run-/elsewhere-/g')\"");
    assertThat(run("--label", "--ssh", ssh, "--hosts", "a", file)).isEqualTo(2);
    assertThat(err()).containsPattern("busbar run: a has no .*/elsewhere-.*; what runs there must");
  }

  @Test
  void wrongListsAreNamed() throws Exception {
    Path file = source("Never.java", "void main() {}");
    assertThat(run("-n", 3, "--hosts", "a,b", file)).isEqualTo(2);
    assertThat(err()).contains("-n is 3, and the hosts have 2 slots; add hosts");
    assertThat(run("--hosts", "a:x", file)).isEqualTo(2);
    assertThat(err()).contains("'a:x' has no number of slots: x");
    assertThat(run("--hosts", "a", "--hostfile", file, file)).isEqualTo(2);
    assertThat(err()).contains("--hosts and --hostfile say the same");
    assertThat(run("--hostfile", folder().resolve("none"), file)).isEqualTo(2);
    assertThat(err()).contains("cannot read the hosts in " + folder().resolve("none"));
  }

  private Process start(Path ssh, String shellCommand) throws IOException {
    return new RemoteSeat(List.of(ssh.toString()), "a", Map.of())
        .prepare(List.of("/bin/sh", "-c", shellCommand), Map.of("BUSBAR_RANK", "0"))
        .start();
  }

  @Test
  void inputAndItsEndGoThere() throws Exception {
    Process process = start(here(), "cat; echo of $BUSBAR_RANK; exit 3");
    process.getOutputStream().write("one\ntwo\n".getBytes(UTF_8));
    process.getOutputStream().close();
    assertThat(process.inputReader(UTF_8).readAllAsString()).isEqualTo("one\ntwo\nof 0\n");
    assertThat(process.waitFor()).isEqualTo(3);
  }

  /** As when ssh is killed here: what served the connection there is no more. */
  @Test
  void processEndsWithItsConnection() throws Exception {
    Process connection = start(script("sh -c \"$*\"\ntrue"), "echo $$; exec sleep 100");
    String pid = String.valueOf(connection.inputReader(UTF_8).readLine());
    connection.toHandle().destroyForcibly();
    isGone(Long.parseLong(pid));
  }

  @Tag("long")
  @Test
  void mpiRunsBetweenHosts() throws Exception {
    try (TestBed bed = TestBed.create(3)) {
      StringBuilder cases = new StringBuilder("case $host in\n");
      StringBuilder hosts = new StringBuilder();
      for (int i = 0; i < 3; i++) {
        String address = bed.host(i).address4().getHostAddress();
        cases.append(address).append(") name=").append(bed.host(i).name()).append(" ;;\n");
        hosts.append(address).append(i == 0 ? ":2\n" : "\n");
      }
      Path ssh = script(cases + "esac\nexec ip netns exec $name sh -c \"$*\"");
      Path list = source("hosts", hosts.toString());
      Path ring = Path.of("..", "examples", "Ring.java");
      for (String fabric : List.of("udp", "shm,packet|udp")) {
        assertThat(run("--ssh", ssh, "--hostfile", list, "--fabric", fabric, ring, 10))
            .as(err())
            .isZero();
      }
    }
    assertThat(out()).isEqualTo("after 10 rounds of 4 the token is 60\n".repeat(2));
  }
}
