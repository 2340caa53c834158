package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.messages.MessageException.Mistake;
import io.busbar.testkit.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process that stands still for a while, in the middle of streams in both directions: of numbered
 * messages, and of one long message. After five seconds all goes on and nothing is lost, over each
 * carrier; after thirty, too, over shared memory, where only death counts. Over UDP silence of ten
 * seconds is taken for death: both ends are told that the other is gone, and what was delivered was
 * delivered once and in order.
 */
@Timeout(180)
class PeerPausedTest extends Members {
  private static final long MB = 1 << 20;

  private final List<Future<?>> streams = new ArrayList<>();

  /** A stop of all threads, native ones too. */
  @Test
  void stopOfFiveSecondsLosesNothingOverUdp() throws Exception {
    ChildJvm child = talkWithChild(ChildJvm.SMALL, "udp");
    stop(child, 5);
    allArrives(child);
  }

  /** As a garbage collection does it: Java threads stand still, the kernel goes on. */
  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void pauseOfAllJavaThreadsLosesNothing(String fabric) throws Exception {
    List<String> options = new ArrayList<>(List.of(Pause.OPTIONS));
    options.add("-Xmx64m");
    ChildJvm child = talkWithChild(options, fabric);
    child.tell("warm");
    String _ = child.awaitLine("warm", 60);
    child.tell("pause 5");
    String paused = child.awaitLine("paused ", 60);
    assertThat(Long.parseLong(paused.split(" ", -1)[1]))
        .as("ms that another Java thread stood still")
        .isGreaterThan(4_500);
    allArrives(child);
  }

  @Tag("long")
  @Test
  void stopOfThirtySecondsLosesNothingOverSharedMemory() throws Exception {
    ChildJvm child = talkWithChild(ChildJvm.SMALL, "shm");
    stop(child, 30);
    allArrives(child);
  }

  @Tag("long")
  @Test
  void stopOfThirtySecondsIsTakenForDeathOverUdp() throws Exception {
    ChildJvm child = talkWithChild(ChildJvm.SMALL, "udp");
    Talk talk = talks.getFirst();
    stop(child, 30);
    for (Future<?> stream : streams) {
      assertThatThrownBy(() -> stream.get(10, TimeUnit.SECONDS))
          .cause()
          .isInstanceOfSatisfying(
              MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.NODE_GONE));
    }
    awaitThat("we are told", 10, () -> told.contains("gone 1"));
    assertThat(talk.brokenOff).hasSize(1);
    assertThat(talk.brokenOff.getFirst().mistake()).isEqualTo(Mistake.BROKEN_OFF);
    assertThat(child.awaitLine("gone 0", 30))
        .containsAnyOf("took this one for dead", "does not answer any more");
    awaitThat(
        "its streams end",
        10,
        () -> child.output().stream().filter(l -> l.startsWith("refused NODE_GONE")).count() == 2);
    child.tell("report 0");
    Report report = report(child);
    assertThat(report.faults()).as("twice or out of order").isEqualTo("[]");
    assertThat(talk.faults).as("twice or out of order").isEmpty();
    assertThat(report.heard()).isBetween(1L, talk.sent.get(1) + 1);
    assertThat(report.longHeard()).isBetween(1L, talk.longSent.get(1) + (64 << 10));
    assertThat(told.stream().filter("gone 1"::equals)).hasSize(1);
  }

  private ChildJvm talkWithChild(List<String> options, String fabric) throws Exception {
    ChildJvm child = child(options, 1, 2, fabric);
    joinHere(fabric, 1, 2);
    Talk talk = talks.getFirst();
    extractAlways(0);
    child.tell("extract");
    child.tell("stream 0");
    child.tell("long 0");
    streams.add(threads.submit(() -> talk.stream(1)));
    streams.add(threads.submit(() -> talk.streamLong(1, Long.MAX_VALUE)));
    awaitProgress(child);
    return child;
  }

  /** All four streams have moved from here. */
  private void awaitProgress(ChildJvm child) throws InterruptedException {
    Talk talk = talks.getFirst();
    child.tell("report 0");
    Report before = report(child);
    long heard = talk.heard.get(1);
    long longHeard = talk.longHeard.get(1);
    awaitThat("messages", 30, () -> talk.heard.get(1) > heard + 100 || !told.isEmpty());
    awaitThat("the long one", 30, () -> talk.longHeard.get(1) > longHeard + MB || !told.isEmpty());
    assertThat(told).isEmpty();
    Report now = before;
    for (int i = 0; i < 3_000 && !now.isBeyond(before); i++) {
      TimeUnit.MILLISECONDS.sleep(10);
      child.tell("report 0");
      now = report(child);
    }
    assertThat(now.isBeyond(before)).as("%s after %s", now, before).isTrue();
  }

  private static void stop(ChildJvm child, int seconds) throws InterruptedException {
    child.pause();
    try {
      TimeUnit.SECONDS.sleep(seconds);
    } finally {
      child.signal("CONT");
    }
  }

  private void allArrives(ChildJvm child) throws Exception {
    awaitProgress(child);
    Talk talk = talks.getFirst();
    talk.enough();
    child.tell("enough");
    for (Future<?> stream : streams) {
      stream.get(30, TimeUnit.SECONDS);
    }
    awaitThat(
        "the child's streams end",
        30,
        () -> child.output().stream().filter("done"::equals).count() == 2);
    awaitThat("the child's long message ends", 30, () -> talk.longEnds.get(1) == 1);
    Report report = report(child, talk.sent.get(1), talk.longSent.get(1));
    awaitThat("all of the child's", 30, () -> talk.heard.get(1) == report.sent());
    assertThat(talk.longHeard.get(1)).isEqualTo(report.longSent());
    assertThat(report.heard()).isEqualTo(talk.sent.get(1));
    assertThat(report.longHeard()).isEqualTo(talk.longSent.get(1));
    assertThat(report.faults()).isEqualTo("[]");
    assertThat(talk.faults).isEmpty();
    assertThat(told).isEmpty();
    assertThat(child.output()).noneMatch(line -> line.startsWith("gone"));
  }

  /** Waits until the child has heard as much. */
  private static Report report(ChildJvm child, long heard, long longHeard)
      throws InterruptedException {
    child.tell("report 0");
    Report report = report(child);
    for (int i = 0; i < 3_000 && (report.heard() < heard || report.longHeard() < longHeard); i++) {
      TimeUnit.MILLISECONDS.sleep(10);
      child.tell("report 0");
      report = report(child);
    }
    return report;
  }

  private static Report report(ChildJvm child) throws InterruptedException {
    return Report.parse(child.awaitLine("report ", 60));
  }

  /** What the child says of its streams. */
  private record Report(long heard, long sent, long longHeard, long longSent, String faults) {
    static Report parse(String line) {
      String[] words = line.split(" ", -1);
      return new Report(
          Long.parseLong(words[2]),
          Long.parseLong(words[4]),
          Long.parseLong(words[6]),
          Long.parseLong(words[8]),
          line.substring(line.indexOf("faults ") + "faults ".length()));
    }

    boolean isBeyond(Report other) {
      return heard > other.heard + 100 && longHeard > other.longHeard + MB;
    }
  }
}
