package io.busbar.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.linux.PollSet;
import io.busbar.linux.ThisProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes that are killed, stopped, or leave; and the one that survives them. */
@Timeout(120)
class DeathTest {
  private static final long AT_ONCE_NS = 100_000_000;

  /** On a machine with more work than cores a thread may wait longer than that for its turn. */
  private static final int ATTEMPTS = 3;

  private final Folder folder = new Folder();
  private final Station survivor = new Station(folder);
  private final Station friend = new Station(folder);
  private volatile long struckNs;

  @AfterEach
  void goesOnWithOthers() {
    try (folder;
        survivor;
        friend) {
      int toFriend = survivor.open(friend);
      assertThat(survivor.send(toFriend, 77, 5000)).isEqualTo(Nic.DONE);
      Station.await("a frame to another", () -> friend.numbers().contains(77L), friend);
      Station.await("all free", survivor::restsWithAllBlocksFree, survivor, friend);
    }
  }

  private String name(ShmAddress address) {
    return "busbar-" + HexFormat.of().toHexDigits(address.token());
  }

  /** Waits for the news of an end; how long after the strike it came. */
  private long awaitGone(String why) {
    Station.await("the end", () -> survivor.told.stream().anyMatch(this::isGone), survivor);
    long noticedNs = System.nanoTime() - struckNs;
    assertThat(survivor.told.stream().filter(this::isGone)).containsExactly("gone 0: " + why);
    return noticedNs;
  }

  private boolean isGone(String news) {
    return news.startsWith("gone");
  }

  @Test
  void whatTheDeadHadSentIsHeard() throws Exception {
    Path file = folder.path.resolve("progress");
    Progress progress = new Progress(file);
    try (ChildJvm child = new ChildJvm(Deed.FLOOD, folder.path, survivor.nic.address(), file)) {
      ShmAddress dead = child.address();
      Station.await("some frames", () -> survivor.heard.size() > 5000, survivor);
      child.kill();
      struckNs = System.nanoTime();
      long noticedNs = awaitGone("its process has ended");
      assertThat(noticedNs).isLessThan(10 * AT_ONCE_NS); // with thousands of frames before it
      int heard = survivor.heard.size();
      assertThat(survivor.numbers()).isEqualTo(LongStream.range(0, heard).boxed().toList());
      assertThat((long) heard).isBetween(progress.sent(), progress.begun());
      assertThat(folder.names()).contains(name(dead) + ".seg", name(dead) + ".bell");
      try (Station next = new Station(folder)) {
        assertThat(folder.names())
            .containsExactlyInAnyOrder(
                name(survivor.nic.address()) + ".seg",
                name(survivor.nic.address()) + ".bell",
                name(friend.nic.address()) + ".seg",
                name(friend.nic.address()) + ".bell",
                name(next.nic.address()) + ".seg",
                name(next.nic.address()) + ".bell",
                "progress");
      }
    }
  }

  /** The survivor looks into its mailbox for the first time when the sender is dead. */
  @Test
  void whatTheDeadHadSentBeforeItWasKnownIsHeard() throws Exception {
    Path file = folder.path.resolve("progress");
    Progress progress = new Progress(file);
    try (ChildJvm child = new ChildJvm(Deed.FLOOD, folder.path, survivor.nic.address(), file)) {
      child.address();
      long[] last = {-1, System.nanoTime()};
      Station.await("its ring is full", () -> isStuck(progress, last));
      child.kill();
    }
    struckNs = System.nanoTime();
    awaitGone("its process has ended");
    int heard = survivor.heard.size();
    assertThat(heard).isPositive();
    assertThat((long) heard).isBetween(progress.sent(), progress.begun());
    assertThat(survivor.numbers()).isEqualTo(LongStream.range(0, heard).boxed().toList());
    assertThat(survivor.told).containsExactly("peer 0", "gone 0: its process has ended");
  }

  private static boolean isStuck(Progress progress, long[] last) {
    if (progress.sent() != last[0]) {
      last[0] = progress.sent();
      last[1] = System.nanoTime();
    }
    return last[0] > 0 && System.nanoTime() - last[1] > 100_000_000;
  }

  @Test
  void readingAcrossFromTheDeadDeliversNothingWrong() throws Exception {
    try (ChildJvm child = new ChildJvm(Deed.FLOOD_ACROSS, folder.path, survivor.nic.address())) {
      child.address();
      Station.await("some", () -> survivor.count(NicCount.READ_ACROSS) > 200, survivor);
      child.strike();
      Station.await("the end", () -> survivor.told.stream().anyMatch(this::isGone), survivor);
    }
    int heard = survivor.heard.size();
    assertThat(survivor.numbers()).isEqualTo(LongStream.range(0, heard).boxed().toList());
    assertThat(survivor.told).contains("gone 0: its process has ended");
    assertThat(survivor.count(NicCount.DROPPED_CORRUPT)).isZero();
  }

  /** It holds five claimed buffers, and owns others that it has not taken from its ring. */
  @Test
  void sleeperNoticesADeathAtOnceAndInheritsItsBuffers() throws Exception {
    long leastNs = Long.MAX_VALUE;
    for (int i = 0; i < ATTEMPTS && leastNs > AT_ONCE_NS; i++) {
      survivor.told.clear();
      try (ChildJvm child = new ChildJvm(Deed.HOLD, folder.path, survivor.nic.address(), 5)) {
        ShmAddress address = child.address();
        Station.await("contact", () -> !survivor.told.isEmpty(), survivor);
        int peer = survivor.nic.open(address);
        for (int number = 0; number < 20; number++) {
          assertThat(survivor.send(peer, number, 9000)).isEqualTo(Nic.DONE);
        }
        assertThat(child.line()).isEqualTo("holds 5");
        assertThat(survivor.nic.pool().freeBlocks()).isEqualTo(Station.BLOCKS - 60);
        leastNs = Math.min(leastNs, sleepUntilItDies(child));
        assertThat(survivor.restsWithAllBlocksFree()).isTrue();
        assertThat(survivor.count(NicCount.RECLAIMED)).isEqualTo(20L * (i + 1));
      }
    }
    System.out.printf("a sleeper noticed a death after %.1f ms%n", leastNs / 1e6);
    assertThat(leastNs).isLessThan(AT_ONCE_NS);
  }

  private long sleepUntilItDies(ChildJvm child) throws InterruptedException {
    Path state = Path.of("/proc/self/task/" + ThisProcess.threadId() + "/stat");
    Thread killer = Thread.ofPlatform().unstarted(() -> killWhenAsleep(child, state));
    PollSet set = new PollSet(16);
    survivor.poll();
    assertThat(survivor.nic.arm()).isTrue();
    survivor.nic.listen(set);
    killer.start();
    assertThat(set.await(10_000_000_000L)).isPositive();
    survivor.nic.disarm();
    long noticedNs = awaitGone("its process has ended");
    killer.join();
    return noticedNs;
  }

  private void killWhenAsleep(ChildJvm child, Path state) {
    try {
      Patience patience = new Patience();
      while (!Files.readString(state).contains(") S ")) {
        patience.pause();
      }
      struckNs = System.nanoTime();
      child.strike();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Stopped is not dead: what was sent to it arrives when it goes on. Then it leaves, and comes.
   */
  @Test
  void stoppedIsNotDeadAndLeavingIsNotDying() throws Exception {
    try (ChildJvm child = new ChildJvm(Deed.ECHO, folder.path)) {
      int peer = survivor.nic.open(child.address());
      child.signal("STOP");
      int sent = 0;
      while (survivor.send(peer, sent, 100) == Nic.DONE) {
        sent++;
      }
      assertThat(sent).isEqualTo(32);
      for (int i = 0; i < 5000; i++) {
        survivor.poll();
      }
      survivor.nic.arm();
      survivor.nic.disarm();
      assertThat(survivor.told).isEmpty();
      child.signal("CONT");
      int all = sent;
      Station.await("the echoes", () -> survivor.heard.size() == all, survivor);
      assertThat(survivor.numbers()).isEqualTo(LongStream.range(0, all).boxed().toList());

      child.tell("again");
      awaitGone("it has left");
      ShmAddress life = child.address();
      int again = survivor.nic.open(life);
      assertThat(survivor.send(again, 100, 3000)).isEqualTo(Nic.DONE);
      survivor.nic.flush();
      Station.await("an echo", () -> survivor.numbers().contains(100L), survivor);
      child.tell("leave");
      Station.await(
          "it leaves",
          () -> survivor.told.equals(List.of("gone 0: it has left", "gone 0: it has left")),
          survivor);
    }
  }
}
