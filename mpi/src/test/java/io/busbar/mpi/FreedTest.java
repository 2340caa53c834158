package io.busbar.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Communicators that were freed leave nothing behind, and what is under way goes on. */
@Timeout(120)
class FreedTest extends Ranks {
  /** Those of the world. */
  private static final int CONTEXTS = 2;

  private static final int ROUNDS = 5_000;
  private static final int MANY_ROUNDS = 100_000;
  private static final long GROWTH_BYTES_MAX = 16L << 20;
  private static final int TAG = 3;

  private static int contexts(Communicator world) {
    return world.world().holdings().contexts();
  }

  private static void makeAndFree(Communicator world, int rounds) {
    for (int i = 0; i < rounds; i++) {
      Communicator made = world.duplicate();
      made.collectives().barrier();
      made.free();
    }
    world.collectives().barrier();
  }

  @Test
  void theyLeaveNothing() throws Exception {
    run(
        2,
        world -> {
          makeAndFree(world, ROUNDS);
          assertThat(contexts(world)).isEqualTo(CONTEXTS);
          Communicator[] all = new Communicator[100];
          for (int i = 0; i < all.length; i++) {
            all[i] = world.duplicate();
          }
          world.collectives().barrier();
          assertThat(contexts(world)).isEqualTo(CONTEXTS + 2 * all.length);
          for (Communicator one : all) {
            one.free();
          }
          assertThat(contexts(world)).isEqualTo(CONTEXTS);
        });
  }

  /** With two sides, and of some of the ranks. */
  @Test
  void othersLeaveNothingEither() throws Exception {
    run(
        3,
        world -> {
          for (int i = 0; i < 100; i++) {
            boolean first = world.rank() == 0;
            Communicator side = world.split(first ? 0 : 1, 0);
            assertThat(side).isNotNull();
            if (side != null) {
              Communicator both = side.createInter(0, world, first ? 1 : 0, TAG);
              both.collectives().barrier();
              both.free();
              side.free();
            }
            Communicator some = world.createGroup(world.group().include(new int[] {2, 0}), TAG);
            if (some != null) {
              some.collectives().barrier();
              some.free();
            }
          }
          world.collectives().barrier();
          assertThat(contexts(world)).isEqualTo(CONTEXTS);
        });
  }

  @Tag("long")
  @Test
  void memoryDoesNotGrow() throws Exception {
    run(
        2,
        world -> {
          makeAndFree(world, ROUNDS);
          long before = used(world);
          makeAndFree(world, MANY_ROUNDS);
          assertThat(contexts(world)).isEqualTo(CONTEXTS);
          assertThat(used(world) - before).isLessThan(GROWTH_BYTES_MAX);
        });
  }

  private static long used(Communicator world) {
    world.collectives().barrier();
    Runtime runtime = Runtime.getRuntime();
    runtime.gc();
    long used = runtime.totalMemory() - runtime.freeMemory();
    world.collectives().barrier();
    return used;
  }

  /** What was begun before is received after, and then the last of it is gone. */
  @Test
  void whatIsUnderWayGoesOn() throws Exception {
    run(
        2,
        world -> {
          Communicator made = world.duplicate();
          int other = 1 - world.rank();
          int[] in = new int[1];
          Request came = made.startReceive(in, 0, 1, Datatype.INT, other, TAG);
          Request met = made.start("barrier", Collectives::barrier);
          if (world.rank() == 0) {
            made.free();
            world.collectives().barrier();
          } else {
            world.collectives().barrier();
            made.send(new int[] {7}, 0, 1, Datatype.INT, other, TAG, false);
            made.free();
          }
          if (world.rank() == 0) {
            came.await();
            assertThat(came.error()).isNull();
            assertThat(in[0]).isEqualTo(7);
          } else {
            came.cancel();
          }
          met.await();
          assertThat(met.error()).isNull();
          world.collectives().barrier();
          assertThat(contexts(world)).isEqualTo(CONTEXTS);
        });
  }

  /** For who is not here yet, as for who is not here any more, a message is kept. */
  @Test
  void messagesForOthersAreKept() throws Exception {
    int early = World.FIRST_CONTEXT + 1000 * Communicator.CONTEXTS;
    run(
        2,
        world -> {
          Communicator made = world.duplicate();
          if (world.rank() == 1) {
            world.collectives().barrier();
            world.sendIn(early, new int[] {5}, 0, 1, Datatype.INT, 0, TAG, false);
            made.send(new int[] {6}, 0, 1, Datatype.INT, 0, TAG, false);
            world.send(new int[1], 0, 1, Datatype.INT, 0, TAG, false);
            made.free();
            return;
          }
          made.free();
          world.collectives().barrier();
          world.receive(new int[1], 0, 1, Datatype.INT, 1, TAG, null);
          Holdings holdings = world.world().holdings();
          assertThat(holdings.kept()).isEqualTo(2);
          assertThat(holdings.contexts()).isEqualTo(CONTEXTS + 2);
          int[] in = new int[1];
          world.receiveIn(early, in, 0, 1, Datatype.INT, 1, TAG, null);
          assertThat(in[0]).isEqualTo(5);
          assertThat(holdings.contexts()).isEqualTo(CONTEXTS + 1);
        });
  }

  /** Another epoch knows nothing of what was left in the one before. */
  @Test
  void anotherEpochBeginsWithoutThem() throws Exception {
    runWorlds(
        2,
        "shm",
        world -> {
          for (int i = 0; i < 3; i++) {
            Communicator all = world.begin();
            for (int k = 0; k < 100; k++) {
              Communicator _ = all.duplicate();
            }
            all.collectives().barrier();
            assertThat(world.holdings().contexts()).isGreaterThanOrEqualTo(CONTEXTS + 200);
            world.end();
          }
          Communicator all = world.begin();
          all.collectives().barrier();
          assertThat(world.holdings().contexts()).isEqualTo(CONTEXTS);
          world.end();
        });
  }
}
