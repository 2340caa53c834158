package io.busbar.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who sleeps in ppoll is woken by a ring, and by a death. */
@Timeout(60)
class DoorbellTest {
  private static final long FOREVER = -1;

  @TempDir Path folder = Path.of("");

  private String path() {
    return folder.resolve("bell").toString();
  }

  /** Runs a call in a thread of its own, and returns when that thread sleeps in the kernel. */
  private static <T> FutureTask<T> asleep(Callable<T> call) throws Exception {
    CompletableFuture<Integer> id = new CompletableFuture<>();
    FutureTask<T> task =
        new FutureTask<>(
            () -> {
              id.complete(ThisProcess.threadId());
              return call.call();
            });
    Thread.ofPlatform().daemon().start(task);
    Path state = Path.of("/proc/self/task/%d/syscall".formatted(id.get()));
    while (!task.isDone() && !isInPpoll(Files.readString(state))) {
      Thread.onSpinWait();
    }
    return task;
  }

  /** SYS_ppoll is 271 on x86-64 and 73 on aarch64. */
  private static boolean isInPpoll(String syscall) {
    return syscall.startsWith("271 ") || syscall.startsWith("73 ");
  }

  private static PollSet set(FileDescriptor fd, int events) {
    PollSet set = new PollSet(1);
    set.add(fd, events);
    return set;
  }

  @Test
  void ringWakesASleeper() throws Exception {
    try (Fifo owner = Fifo.create(path());
        Fifo ringer = Fifo.ringer(path())) {
      PollSet set = set(owner.descriptor(), PollSet.IN);
      FutureTask<Integer> sleeper = asleep(() -> set.await(FOREVER));
      assertThat(sleeper.isDone()).isFalse();
      assertThat(ringer.ring()).isEqualTo(1);
      assertThat(sleeper.get()).isEqualTo(1);
      assertThat(set.ready(0)).isEqualTo(PollSet.IN);
      assertThat(ringer.ring()).isEqualTo(1);
      assertThat(owner.take()).isEqualTo(2);
      assertThat(owner.take()).isZero();
      assertThat(set.await(0)).isZero();
      assertThat(set.ready(0)).isZero();
    }
  }

  @Test
  void bellThatRingsAlreadyTakesNoMore() {
    try (Fifo owner = Fifo.create(path());
        Fifo ringer = Fifo.ringer(path())) {
      int rings = 0;
      while (ringer.ring() == 1) {
        rings++;
      }
      assertThat(rings).isBetween(1, ThisProcess.pageBytes());
      assertThat(ringer.ring()).isZero();
      int taken = 0;
      for (int now = owner.take(); now > 0; now = owner.take()) {
        taken += now;
      }
      assertThat(taken).isEqualTo(rings);
    }
  }

  @Test
  void deathOfTheOwnerWakesARinger() throws Exception {
    try (Child child = new Child(List.of(), "listen", path())) {
      assertThat(child.line()).isEqualTo("ready 0");
      try (Fifo ringer = Fifo.ringer(path())) {
        assertThat(ringer.ring()).isEqualTo(1);
        PollSet set = set(ringer.descriptor(), 0);
        assertThat(set.await(0)).isZero();
        FutureTask<Integer> sleeper = asleep(() -> set.await(FOREVER));
        assertThat(sleeper.isDone()).isFalse();
        child.kill();
        assertThat(sleeper.get()).isEqualTo(1);
        assertThat(set.ready(0)).isEqualTo(PollSet.ERROR);
        assertThat(ringer.ring()).isEqualTo(-Errno.EPIPE);
      }
    }
    assertThatThrownBy(() -> Fifo.ringer(path()))
        .hasMessage(
            "cannot ring at %s: open: ENXIO; nobody listens at this FIFO: its owner has ended or"
                + " not begun",
            path());
  }

  @Test
  void deathOfTheLastRingerIsAHangUp() throws Exception {
    Fifo.make(path());
    try (Fifo reader = Fifo.reader(path());
        Child child = new Child(List.of(), "ring", path())) {
      assertThat(child.line()).isEqualTo("ready 1");
      PollSet set = set(reader.descriptor(), PollSet.IN);
      assertThat(set.await(FOREVER)).isEqualTo(1);
      assertThat(set.ready(0)).isEqualTo(PollSet.IN);
      assertThat(reader.take()).isEqualTo(1);
      child.kill();
      assertThat(set.await(FOREVER)).isEqualTo(1);
      assertThat(set.ready(0)).isEqualTo(PollSet.HANG_UP);
      assertThat(reader.take()).isZero();
    }
  }

  @Test
  void ownerNeverHangsUp() {
    try (Fifo owner = Fifo.create(path())) {
      Fifo.ringer(path()).close();
      assertThat(set(owner.descriptor(), PollSet.IN).await(0)).isZero();
      assertThatThrownBy(() -> Fifo.create(path()))
          .hasMessageStartingWith("cannot make the FIFO " + path() + ": mkfifo: EEXIST; ");
    }
  }

  @Test
  void pipeWithoutAPath() {
    Fifo.Pair pair = Fifo.pair();
    try (Fifo reader = pair.reader()) {
      assertThat(pair.ringer().ring()).isEqualTo(1);
      assertThat(reader.take()).isEqualTo(1);
      pair.ringer().close();
      PollSet set = set(reader.descriptor(), PollSet.IN);
      assertThat(set.await(FOREVER)).isEqualTo(1);
      assertThat(set.ready(0)).isEqualTo(PollSet.HANG_UP);
    }
  }

  @Test
  void eventDescriptorCounts() throws Exception {
    try (EventFd bell = new EventFd()) {
      assertThat(bell.take()).isZero();
      PollSet set = set(bell.descriptor(), PollSet.IN);
      FutureTask<Integer> sleeper = asleep(() -> set.await(FOREVER));
      bell.ring();
      assertThat(sleeper.get()).isEqualTo(1);
      bell.ring();
      assertThat(bell.take()).isEqualTo(2);
      assertThat(set.await(0)).isZero();
    }
  }

  @Test
  void timerRingsAtItsTime() {
    try (TimerFd timer = new TimerFd()) {
      PollSet set = set(timer.descriptor(), PollSet.IN);
      assertThat(set.await(0)).as("not set").isZero();
      long before = System.nanoTime();
      timer.set(3_000_000);
      assertThat(set.await(FOREVER)).isEqualTo(1);
      assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(3_000_000);
      assertThat(set.await(0)).as("rings until it is set again").isEqualTo(1);
      timer.unset();
      assertThat(set.await(0)).as("unset").isZero();
      timer.set(3_600_000_000_000L);
      assertThat(set.await(0)).as("in an hour").isZero();
      timer.set(1);
      assertThat(set.await(FOREVER)).as("earlier than it was set to").isEqualTo(1);
      assertThatThrownBy(() -> timer.set(0)).hasMessageContaining("at least 1");
    }
  }

  @Test
  void placesOfASet() {
    try (EventFd first = new EventFd();
        EventFd second = new EventFd()) {
      PollSet set = new PollSet(2);
      int one = set.add(first.descriptor(), PollSet.IN);
      int two = set.add(second.descriptor(), PollSet.OUT);
      assertThatThrownBy(() -> set.add(first.descriptor(), 0)).hasMessageContaining("room for 2");
      second.ring();
      assertThat(set.await(FOREVER)).isEqualTo(1);
      assertThat(set.ready(one)).isZero();
      assertThat(set.ready(two)).isEqualTo(PollSet.OUT);
      set.listen(two, PollSet.IN);
      assertThat(set.await(FOREVER)).isEqualTo(1);
      assertThat(set.ready(two)).isEqualTo(PollSet.IN);
      set.mute(two);
      assertThat(set.await(0)).isZero();
      set.clear();
      assertThat(set.count()).isZero();
    }
  }

  @Test
  void timeoutEnds() {
    PollSet none = new PollSet(1);
    long before = System.nanoTime();
    assertThat(none.await(5_000_000)).isZero();
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(5_000_000);
  }

  @Test
  void virtualThreadLooksButDoesNotSleep() throws Exception {
    PollSet none = new PollSet(1);
    FutureTask<Integer> look = new FutureTask<>(() -> none.await(0));
    Thread.ofVirtual().start(look).join();
    assertThat(look.get()).isZero();
    FutureTask<Integer> sleep = new FutureTask<>(() -> none.await(1));
    Thread.ofVirtual().start(sleep).join();
    assertThatThrownBy(sleep::get).hasMessageContaining("a virtual thread must not sleep");
  }
}
