package io.busbar.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramPacket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What runs in hosts. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostProcessTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final List<String> QUICK =
      List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private final TestBed bed = TestBed.create(2);
  private final TestHost a = bed.host(0);
  private final TestHost b = bed.host(1);

  @AfterAll
  void close() {
    bed.close();
  }

  @Test
  void jvmIsInTheHost() {
    try (HostProcess look = a.java(QUICK, Guest.class, List.of("look", a.deviceName()))) {
      assertThat(look.awaitExit(LIMIT)).as(look.output()).isZero();
      assertThat(look.output().lines())
          .contains(
              "kernel " + a.name(),
              "local " + a.name() + "/" + a.address4().getHostAddress(),
              "other " + b.address4().getHostAddress(),
              "other " + b.address6().getHostAddress(),
              "module " + TestBed.class.getModule(),
              "device " + a.deviceName(),
              "sysfs true");
    }
  }

  @Test
  void jvmsInputAndOutputArePiped() throws Exception {
    int rounds = 20;
    try (Mail mail = Mail.of(a)) {
      HostProcess echo = b.java(Guest.class, List.of("echo"));
      String port = echo.awaitLine(line -> line.startsWith("port "), LIMIT).substring(5);
      echo.sendLine(Integer.toString(rounds));
      int last =
          bed.crossed(
              a,
              b,
              rounds * 1000L,
              () -> {
                DatagramPacket packet = new DatagramPacket(new byte[1000], 1000);
                mail.socket().setSoTimeout(10_000);
                for (int i = 0; i < rounds; i++) {
                  mail.send(new byte[1000], b.address4(), Integer.parseInt(port));
                  mail.socket().receive(packet);
                }
                return packet.getLength();
              });
      assertThat(last).isEqualTo(1000);
      echo.awaitLine("done"::equals, LIMIT);
      assertThat(echo.awaitExit(LIMIT)).isZero();
    }
  }

  @Test
  void commandRunsInside() {
    assertThat(a.run("ip", "-o", "-4", "address")).contains(a.address4().getHostAddress());
    assertThat(b.run("cat", "/proc/sys/kernel/hostname")).isEqualTo(b.name());
    assertThatThrownBy(() -> a.run("sh", "-c", "echo oh dear >&2; exit 7"))
        .isInstanceOf(TestBedException.class)
        .hasMessage(
            "'sh -c echo oh dear >&2; exit 7' in %s failed with exit code 7; it said:\noh dear", a);
    assertThatThrownBy(() -> a.run("no-such-command")).hasMessageContaining("not found");
  }

  @Test
  void hungCommandFailsWithItsText() {
    HostProcess hung = a.start(List.of("sh", "-c", "echo so far; exec sleep 1000"));
    assertThatThrownBy(() -> hung.awaitLine("further"::equals, SHORT))
        .hasMessage(
            "'sh -c echo so far; exec sleep 1000' in %s did not say what was waited for within"
                + " PT0.2S; it said:\nso far",
            a);
    assertThat(hung.isAlive()).isTrue();
    assertThatThrownBy(() -> hung.finish("", SHORT))
        .hasMessageContaining("did not end within PT0.2S")
        .hasMessageEndingWith("so far");
    assertThat(hung.isAlive()).isFalse();
  }

  @Test
  void endBeforeTheLineIsAFailure() {
    try (HostProcess mute = a.start(List.of("sh", "-c", "echo one; exit 5"))) {
      assertThat(mute.awaitLine(line -> true, LIMIT)).isEqualTo("one");
      assertThatThrownBy(() -> mute.awaitLine("one"::equals, LIMIT))
          .hasMessageMatching("(?s).* ended with 5 before it said what.*it said:\none");
    }
  }

  @Test
  void killedProcessIsGoneWithItsChildren() {
    HostProcess shell = a.start(List.of("sh", "-c", "sleep 1000 & echo $!; wait"));
    long child = Long.parseLong(shell.awaitLine(line -> true, LIMIT));
    assertThat(ProcessHandle.of(child)).isPresent();
    shell.kill();
    assertThat(shell.awaitExit(LIMIT)).isEqualTo(128 + 9);
    ProcessHandle.of(child).ifPresent(left -> left.onExit().join());
  }

  @Test
  void chatterIsDrainedAndBounded() {
    int lines = 3 * Transcript.LINES_MAX;
    HostProcess chatter = a.start(List.of("seq", Integer.toString(lines)));
    assertThat(chatter.awaitExit(LIMIT)).isZero();
    assertThat(chatter.output().lines())
        .hasSize(Transcript.LINES_MAX + 1)
        .startsWith("(%d lines are left out)".formatted(lines - Transcript.LINES_MAX))
        .endsWith(Integer.toString(lines));
  }

  @Test
  void callThatHangsFailsWithItsStack() throws Exception {
    try (HostThread thread = new HostThread(a.name(), SHORT)) {
      assertThatThrownBy(() -> thread.call(HostProcessTest::hang))
          .isInstanceOf(TestBedException.class)
          .hasMessageContaining("did not return within PT0.2S")
          .hasMessageContaining("HostProcessTest.hang");
    }
  }

  private static boolean hang() {
    while (!Thread.currentThread().isInterrupted()) {
      LockSupport.park();
    }
    return true;
  }

  @Test
  void callThrowsWhatItsActionThrows() throws Exception {
    assertThatThrownBy(
            () ->
                a.call(
                    () -> {
                      throw new IOException("inside");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("inside");
    assertThat(a.<String>call(() -> a.call(() -> "nested"))).isEqualTo("nested");
    FutureTask<String> virtual = new FutureTask<>(() -> a.call(() -> "never"));
    Thread.ofVirtual().start(virtual);
    assertThatThrownBy(virtual::get).hasMessageContaining("call this on a platform thread");
    TestBed closed = TestBed.create(1);
    closed.close();
    assertThatThrownBy(() -> closed.host(0).call(() -> 1)).hasMessageContaining("is closed");
  }
}
