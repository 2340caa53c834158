package io.busbar.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.busbar.mpi.MpiError.Kind;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who does not call what the others call is told so, and the others are, too; nobody waits. */
@Timeout(60)
class CheckTest extends Ranks {
  @Override
  MpiConfig config() {
    return MpiConfig.defaults().checked();
  }

  private static final Object IN_PLACE = Collectives.IN_PLACE;

  /** Rank 1 makes the second call, the others the first; all fail, and can go on. */
  private void differ(
      Consumer<Collectives> most, Consumer<Collectives> one, Kind kind, String... texts)
      throws Exception {
    run(3, world -> failsEverywhere(world, world.rank() == 1 ? one : most, kind, texts));
  }

  private static void failsEverywhere(
      Communicator world, Consumer<Collectives> mine, Kind kind, String... texts) {
    MpiError error = catchThrowableOfType(MpiError.class, () -> mine.accept(world.collectives()));
    assertThat(error).isNotNull();
    assertThat(error.kind()).isEqualTo(kind);
    assertThat(error).hasMessageContaining("in the world: ");
    for (String text : texts) {
      assertThat(error).hasMessageContaining(text);
    }
    int[] sum = {1};
    world.collectives().allReduce(IN_PLACE, 0, sum, 0, 1, Datatype.INT, Operation.SUM);
    assertThat(sum[0]).isEqualTo(3);
  }

  private static void bcast(Collectives call, int length, int root) {
    call.broadcast(new int[length], 0, length, Datatype.INT, root);
  }

  private static void reduce(Collectives call, Operation operation) {
    call.allReduce(IN_PLACE, 0, new double[2], 0, 2, Datatype.DOUBLE, operation);
  }

  @Test
  void anotherCollective() throws Exception {
    differ(
        Collectives::barrier,
        call -> bcast(call, 2, 0),
        Kind.OTHER,
        "ranks 0, 2 call barrier(), rank 1 calls bcast(root 0, 8 B)");
    differ(
        call -> bcast(call, 2, 0),
        call -> call.reduce(new int[2], 0, new int[2], 0, 2, Datatype.INT, Operation.SUM, 1),
        Kind.OTHER,
        "ranks 0, 2 call bcast(root 0, 8 B), rank 1 calls reduce(root 1, sum, 8 B of int)");
  }

  @Test
  void anotherRoot() throws Exception {
    differ(
        call -> bcast(call, 2, 0),
        call -> bcast(call, 2, 99),
        Kind.ROOT,
        "ranks 0, 2 call bcast(root 0, 8 B), rank 1 calls bcast(root 99, 8 B)");
  }

  @Test
  void anotherOperation() throws Exception {
    differ(
        call -> reduce(call, Operation.SUM),
        call -> reduce(call, Operation.MAX),
        Kind.OP,
        "ranks 0, 2 call allreduce(sum, 16 B of double)",
        "rank 1 calls allreduce(max, 16 B of double)");
  }

  @Test
  void anotherLength() throws Exception {
    differ(
        call -> bcast(call, 2, 0),
        call -> bcast(call, 3, 0),
        Kind.COUNT,
        "ranks 0, 2 call bcast(root 0, 8 B), rank 1 calls bcast(root 0, 12 B)");
    differ(
        call -> call.gather(new int[1], 0, 1, Datatype.INT, new int[6], 0, 2, Datatype.INT, 0),
        call -> call.gather(new int[2], 0, 2, Datatype.INT, null, 0, 0, Datatype.INT, 0),
        Kind.COUNT,
        "ranks 0, 1 call gather(root 0, 8 B), rank 2 calls gather(root 0, 4 B)");
    differ(
        call -> reduce(call, Operation.SUM),
        call -> call.allReduce(IN_PLACE, 0, new long[2], 0, 2, Datatype.LONG, Operation.SUM),
        Kind.COUNT,
        "rank 1 calls allreduce(sum, 16 B of long)");
    int[] places = {0, 1, 2};
    differ(
        call -> gatherAll(call, new int[] {1, 1, 1}, places),
        call -> gatherAll(call, new int[] {1, 2, 0}, places),
        Kind.COUNT,
        "12 B in parts [4, 4, 4]",
        "12 B in parts [4, 8, 0]");
  }

  private static void gatherAll(Collectives call, int[] counts, int[] places) {
    call.allGatherv(IN_PLACE, 0, 0, Datatype.INT, new int[3], 0, counts, places, Datatype.INT);
  }

  /** Others may wait for one and go on with the other; the standard has them apart. */
  @Test
  void oneThatIsNotWaitedFor() throws Exception {
    run(
        2,
        world -> {
          MpiError error;
          if (world.rank() == 0) {
            Request request = world.start("iBarrier", Collectives::barrier);
            request.await();
            error = request.error();
          } else {
            error = catchThrowableOfType(MpiError.class, () -> world.collectives().barrier());
          }
          assertThat(error)
              .isNotNull()
              .hasMessageContaining("rank 0 calls ibarrier(), rank 1 calls barrier()");
        });
  }

  @Test
  void communicatorsAreMadeTogether() throws Exception {
    run(
        3,
        world -> {
          MpiError error =
              catchThrowableOfType(
                  MpiError.class,
                  () -> {
                    if (world.rank() == 2) {
                      Communicator _ = world.split(0, 0);
                    } else {
                      Communicator _ = world.duplicate();
                    }
                  });
          assertThat(error)
              .isNotNull()
              .hasMessageContaining("ranks 0, 1 call comm_dup(), rank 2 calls comm_split()");
          Communicator made = world.duplicate();
          made.collectives().barrier();
          if (world.rank() > 0) {
            Group others = world.group().exclude(new int[] {0});
            Communicator two = Objects.requireNonNull(world.createGroup(others, 3));
            two.collectives().barrier();
            two.free();
          }
          world.collectives().barrier(); // as if those two had called nothing
          made.free();
        });
  }

  /** Ranks 0 and 2 on one side, 1 and 3 on the other. */
  private static Communicator sides(Communicator world) {
    Communicator side = Objects.requireNonNull(world.split(world.rank() % 2, 0));
    Communicator made = side.createInter(0, world, 1 - world.rank() % 2, 5);
    side.free();
    return made;
  }

  @Test
  void bothSidesAreAsked() throws Exception {
    run(
        4,
        world -> {
          Communicator both = sides(world);
          int root = world.rank() == 0 ? Communicator.ROOT : Communicator.NOBODY;
          int[] word = {world.rank()};
          int mine = world.rank() % 2 == 0 ? root : 0;
          both.collectives().broadcast(word, 0, 1, Datatype.INT, mine);
          assertThat(word[0]).isEqualTo(world.rank() == 2 ? 2 : 0);
          both.collectives().barrier();
          fails(
              both,
              Kind.ROOT,
              call -> call.broadcast(word, 0, 1, Datatype.INT, world.rank() == 3 ? 1 : mine),
              "rank 0 calls bcast(root here, 4 B), rank 2 calls bcast(root beside, 4 B), "
                  + "rank 1 calls bcast(root 0, 4 B), rank 3 calls bcast(root 1, 4 B)");
          fails(
              both,
              Kind.OTHER,
              call -> {
                if (world.rank() == 1) {
                  call.barrier();
                } else {
                  call.allReduce(IN_PLACE, 0, word, 0, 1, Datatype.INT, Operation.SUM);
                }
              },
              "ranks 0, 2, 3 call allreduce(sum, 4 B of int), rank 1 calls barrier()");
          both.collectives().barrier();
          both.free();
        });
  }

  private static void fails(Communicator in, Kind kind, Consumer<Collectives> mine, String text) {
    MpiError error = catchThrowableOfType(MpiError.class, () -> mine.accept(in.collectives()));
    assertThat(error).isNotNull();
    assertThat(error.kind()).isEqualTo(kind);
    assertThat(error).hasMessageContaining("by ranks of the world: ").hasMessageContaining(text);
  }

  @Test
  void whoHasFinalisedIsWaitedForByNobody() throws Exception {
    run(
        3,
        world -> {
          if (world.rank() == 2) {
            return; // finalises
          }
          MpiError error =
              catchThrowableOfType(MpiError.class, () -> world.collectives().barrier());
          assertThat(error).isNotNull();
          assertThat(error.kind()).isEqualTo(Kind.PROC_FAILED);
          assertThat(error)
              .hasMessageContaining("ranks 0, 1 call barrier(), rank 2 calls nothing more")
              .hasMessageContaining("rank 2 of the world has finalised");
        });
  }

  @Test
  void environmentsSayWhetherItIsDone() {
    assertThat(MpiConfig.of(Map.of())).isEqualTo(MpiConfig.defaults());
    assertThat(MpiConfig.of(Map.of(MpiConfig.CHECK, "0")).checks()).isFalse();
    assertThat(MpiConfig.of(Map.of(MpiConfig.CHECK, "1")).checks()).isTrue();
  }
}
