package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.messages.MessageException.Mistake;
import io.busbar.testkit.ChildJvm;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process that is killed in the middle of a long message: its handler gets an exception, the
 * program is told who is gone, sending there is refused by name, and the others go on. Over shared
 * memory that is at once; over UDP the silence has to last ten seconds, after at most five in which
 * nothing had to be answered, and who never spoke with it is not told.
 */
@Timeout(120)
class PeerKilledTest extends Members {
  private static final int AT_ONCE_S = 5;
  private static final int AFTER_SILENCE_S = 25;

  @Test
  void senderIsKilledOverSharedMemory() throws Exception {
    senderIsKilled("shm", AT_ONCE_S);
    assertThat(segments()).as("what three processes have").hasSize(2 * 3);
    try (Messages _ = Messages.join(alone("shm"), events(0))) {
      assertThat(segments()).as("the dead one's is swept, one is new").hasSize(2 * 3);
      nodes.forEach(Messages::close);
    }
    assertThat(segments()).isEmpty();
  }

  @Tag("long")
  @Test
  void senderIsKilledOverUdp() throws Exception {
    senderIsKilled("udp", AFTER_SILENCE_S);
  }

  @Test
  void receiverIsKilledOverSharedMemory() throws Exception {
    receiverIsKilled("shm", AT_ONCE_S);
  }

  @Tag("long")
  @Test
  void receiverIsKilledOverUdp() throws Exception {
    receiverIsKilled("udp", AFTER_SILENCE_S);
  }

  private void senderIsKilled(String fabric, int limitS) throws Exception {
    ChildJvm child = child(ChildJvm.SMALL, 2, 3, fabric);
    joinHere(fabric, 2, 3);
    extractAlways(0);
    extractAlways(1);
    child.tell("long 0");
    nodes.get(1).send(2, Talk.TAKE, 1, 2, 3, 4); // who never spoke with it hears nothing over UDP
    awaitThat("a part of the long message", 30, () -> talks.get(0).longHeard.get(2) > 4 << 20);
    child.kill();
    long killedNs = System.nanoTime();
    awaitThat(
        "node 2 is gone for both",
        limitS,
        () -> told.stream().filter("gone 2"::equals).count() == 2);
    System.out.printf("%s: gone after %d ms%n", fabric, msSince(killedNs));
    long received = talks.get(0).longHeard.get(2);
    awaitThat("its message is broken off", 1, () -> !talks.get(0).brokenOff.isEmpty());
    assertThat(talks.get(0).brokenOff).hasSize(1);
    MessageException inside = talks.get(0).brokenOff.getFirst();
    assertThat(inside.mistake()).isEqualTo(Mistake.BROKEN_OFF);
    awaitThat("three events", 1, () -> told.size() == 3);
    assertThat(told)
        .filteredOn(line -> line.startsWith("long 2 "))
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line).endsWith(inside.getMessage());
              long bytes = Long.parseLong(line.split(" ", -1)[2]);
              assertThat(bytes).isBetween(received, received + (64 << 10));
            });
    isRefused(0, 2);
    isRefused(1, 2);
    othersGoOn();
  }

  private void receiverIsKilled(String fabric, int limitS) throws Exception {
    ChildJvm child = child(ChildJvm.SMALL, 2, 3, fabric); // extracts nothing
    joinHere(fabric, 2, 3);
    extractAlways(0);
    extractAlways(1);
    Future<?> whole = threads.submit(() -> talks.get(0).stream(2));
    Future<?> pieces = threads.submit(() -> talks.get(1).streamLong(2, Long.MAX_VALUE));
    awaitStill(() -> talks.get(0).sent.get(2));
    awaitStill(() -> talks.get(1).longSent.get(2));
    assertThat(whole.isDone()).isFalse();
    assertThat(pieces.isDone()).isFalse();
    child.kill();
    long killedNs = System.nanoTime();
    for (Future<?> sender : List.of(whole, pieces)) {
      assertThatThrownBy(() -> sender.get(limitS, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOfSatisfying(
              MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.NODE_GONE));
    }
    System.out.printf("%s: refused after %d ms%n", fabric, msSince(killedNs));
    assertThat(msSince(killedNs)).isLessThan(limitS * 1000L);
    awaitThat("both are told", 1, () -> told.stream().filter("gone 2"::equals).count() == 2);
    isRefused(0, 2);
    othersGoOn();
  }

  private static long msSince(long ns) {
    return (System.nanoTime() - ns) / 1_000_000;
  }

  private interface Progress {
    long get();
  }

  /** Waits until a sender has sent something, and nothing more for half a second. */
  private static void awaitStill(Progress progress) throws InterruptedException {
    long[] seen = {0, System.nanoTime()};
    awaitThat(
        "the sender is stopped",
        30,
        () -> {
          if (progress.get() != seen[0]) {
            seen[0] = progress.get();
            seen[1] = System.nanoTime();
          }
          return seen[0] > 0 && System.nanoTime() - seen[1] > SECOND_NS / 2;
        });
  }

  private void isRefused(int from, int to) {
    MemorySegment bytes = pattern(100, 0);
    for (int length : new int[] {8, 100}) {
      assertThatThrownBy(() -> nodes.get(from).send(to, Talk.TAKE, bytes, 0, length))
          .isInstanceOfSatisfying(
              MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.NODE_GONE));
    }
    assertThatThrownBy(() -> nodes.get(from).begin(to, 1 << 20, Talk.LONG))
        .isInstanceOfSatisfying(
            MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.NODE_GONE));
  }

  /** Node 0 and node 1 exchange messages of both kinds. */
  private void othersGoOn() throws Exception {
    Future<?> there = threads.submit(() -> talks.get(0).streamLong(1, 4 << 20));
    Future<?> back = threads.submit(() -> talks.get(1).stream(0));
    there.get(30, TimeUnit.SECONDS);
    awaitThat("a long message", 30, () -> talks.get(1).longEnds.get(0) == 1);
    awaitThat("messages", 30, () -> talks.get(0).heard.get(1) > 1_000);
    talks.get(1).enough();
    back.get(30, TimeUnit.SECONDS);
    awaitThat("all", 30, () -> talks.get(0).heard.get(1) == talks.get(1).sent.get(0));
    assertThat(talks.get(0).faults).isEmpty();
    assertThat(talks.get(1).faults).isEmpty();
  }
}
