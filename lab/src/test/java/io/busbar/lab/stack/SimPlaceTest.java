package io.busbar.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A place in virtual time: who waits, for how long, and who may use it how. */
class SimPlaceTest {
  private static final long MS = 1_000_000;

  private final List<String> said = new ArrayList<>();

  private interface Use {
    void use(SimPlace place, SimProcess process) throws Exception;
  }

  /** Runs something on a place; the other node only listens. */
  private Duo run(Use use, long untilNs) throws Throwable {
    Duo[] duo = new Duo[1];
    Duo.Play plays = process -> use.use(duo[0].open(process), process);
    Duo.Play listens =
        process -> {
          SimPlace place = duo[0].open(process);
          boolean _ = place.await(() -> false, Long.MAX_VALUE);
        };
    duo[0] = new Duo(List.of(plays), List.of(listens));
    duo[0].run(untilNs);
    return duo[0];
  }

  @Test
  void timePassesWhileOneWaitsAndNotOtherwise() throws Throwable {
    run(
        (place, process) -> {
          long start = place.nowNs();
          assertThat(place.await(() -> true, 5 * MS)).isTrue();
          assertThat(place.nowNs()).isEqualTo(start);
          assertThat(place.await(() -> false, 5 * MS)).isFalse();
          assertThat(place.nowNs() - start).isBetween(5 * MS, 6 * MS);
          process.pass(7 * MS);
          assertThat(place.nowNs() - start).isBetween(12 * MS, 13 * MS);
          said.add("done");
        },
        100 * MS);
    assertThat(said).containsExactly("done");
  }

  @Test
  void whoUsesItMovesTimeOn() throws Throwable {
    run(
        (place, process) -> {
          long start = place.nowNs();
          for (int i = 0; i < 1000; i++) {
            place.take();
            boolean _ = place.work();
            place.release();
          }
          assertThat(place.nowNs() - start).isGreaterThan(100_000);
          said.add("done");
        },
        100 * MS);
    assertThat(said).containsExactly("done");
  }

  @Test
  void wrongUseIsNamed() throws Throwable {
    run(
        (place, process) -> {
          said.add(Duo.promiseBrokenBy(place::release));
          said.add(Duo.promiseBrokenBy(place::flush));
          said.add(
              Duo.promiseBrokenBy(
                  () -> {
                    boolean _ = place.work();
                  }));
          place.take();
          said.add(Duo.promiseBrokenBy(place::take));
          said.add(
              Duo.promiseBrokenBy(
                  () -> {
                    boolean _ = place.await(() -> false, 1);
                  }));
          said.add(Duo.promiseBrokenBy(place::close));
          place.release();
          said.add(Duo.promiseBrokenBy(place::close));
        },
        100 * MS);
    String named = "the role is used rightly";
    assertThat(said).containsExactly(named, named, named, named, named, named, null);
  }

  /** A program may hand the baton on among threads of its own. */
  @Test
  void anyThreadOfAProgramMayWait() throws Throwable {
    run(
        (place, process) -> {
          Thread own = Thread.currentThread();
          boolean[] over = new boolean[1];
          Thread other =
              Thread.startVirtualThread(
                  () -> {
                    said.add("waits: " + place.await(() -> false, 5 * MS));
                    place.take();
                    place.release();
                    over[0] = true;
                    LockSupport.unpark(own);
                  });
          other.join();
          assertThat(over[0]).isTrue();
          said.add("goes on");
          process.pass(MS);
          said.add("ends");
        },
        100 * MS);
    assertThat(said).containsExactly("waits: false", "goes on", "ends");
  }

  @Test
  void faultsHoldItUp() throws Throwable {
    Duo[] duo = new Duo[1];
    long[] woke = new long[3];
    Duo.Play plays =
        process -> {
          SimPlace place = duo[0].open(process);
          boolean _ = place.await(() -> false, 5 * MS); // paused meanwhile
          woke[0] = duo[0].stack.schedule().nowNs();
          boolean _ = place.await(() -> false, 100 * MS); // the clock jumps
          woke[1] = duo[0].stack.schedule().nowNs();
          try {
            boolean _ = place.await(() -> false, 100 * MS);
          } finally {
            woke[2] = duo[0].stack.schedule().nowNs();
            assertThat(process.isCrashed()).isTrue();
          }
        };
    duo[0] = new Duo(List.of(plays), List.of(process -> {}));
    Stack stack = duo[0].stack;
    stack.schedule().at(MS, () -> stack.pause(0, true));
    stack.schedule().at(20 * MS, () -> stack.pause(0, false));
    stack.schedule().at(30 * MS, () -> stack.jump(0, 90 * MS));
    stack.schedule().at(40 * MS, () -> stack.crash(0));
    duo[0].run(100 * MS);
    assertThat(woke[0]).isBetween(20 * MS, 21 * MS);
    assertThat(woke[1]).isBetween(30 * MS, 31 * MS);
    assertThat(woke[2]).isEqualTo(40 * MS);
  }
}
