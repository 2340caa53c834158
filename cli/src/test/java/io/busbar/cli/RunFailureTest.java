package io.busbar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first failure ends all, and is what is reported. */
@Timeout(60)
class RunFailureTest extends RunCase {
  /**
   * What may pass on a busy machine until the program that fails has started a process for that.
   */
  private static final long STARTS_MS = 500;

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
              System.out.println("fails at " + System.currentTimeMillis());
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
        out().lines().filter(line -> line.matches("\\[.] \\d+")).map(RunFailureTest::pid).toList();
    assertThat(pids).hasSize(size).noneMatch(pid -> ProcessHandle.of(pid).isPresent());
  }

  private static String host() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
  }

  private static long pid(String line) {
    return Long.parseLong(line.substring(line.indexOf(' ') + 1));
  }

  @Test
  void theFirstFailureEndsTheOthers() throws Exception {
    assertThat(run("-n", 3, "--label", failing(), 3)).isEqualTo(3);
    assertThat(err())
        .isEqualTo("busbar run: rank 2 on " + host() + " ended with 3; the others were ended\n");
    assertThat(out()).contains("[0] bye\n").contains("[1] bye\n");
    allAreGone(3);
  }

  @Test
  void whoDoesNotEndWhenAskedIsKilled() throws Exception {
    assertThat(run("-n", 2, "--label", failing(), "stubborn")).isEqualTo(128 + 9);
    long endMs = System.currentTimeMillis();
    long failMs =
        out()
            .lines()
            .filter(line -> line.contains("fails at "))
            .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
            .sum();
    assertThat(endMs - failMs)
        .isGreaterThan(TimeUnit.NANOSECONDS.toMillis(Job.GRACE_NS))
        .isLessThan(1_000 + STARTS_MS);
    assertThat(err())
        .isEqualTo(
            "busbar run: rank 1 on " + host() + " was killed by signal 9; the others were ended\n");
    allAreGone(2);
  }

  @Test
  void aLoneFailureHasNoOthers() throws Exception {
    assertThat(run("--label", failing(), 7)).isEqualTo(7);
    assertThat(err()).isEqualTo("busbar run: rank 0 on " + host() + " ended with 7\n");
    allAreGone(1);
  }

  @Test
  void outputThatCannotBeWrittenEndsAll() throws Exception {
    System.setOut(
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException("full");
              }
            },
            true,
            UTF_8));
    assertThat(run("-n", 2, failing(), 0)).isEqualTo(1);
    assertThat(err())
        .isEqualTo("busbar run: standard output cannot be written any more, so all were ended\n");
  }
}
