package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.IntBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lengths, places and types that a collective needs and is not given are named. */
@Timeout(60)
class PartsTest {
  private static final Intracomm SELF = MPI.COMM_WORLD;
  private static final Datatype INT = MPI.INT;

  private final int[] out = new int[4];
  private final int[] in = new int[4];
  private final int[] one = {1};
  private final int[] zero = {0};
  private final Datatype[] ints = {INT};
  private final IntBuffer from = MPI.newIntBuffer(4);
  private final IntBuffer to = MPI.newIntBuffer(4);

  @BeforeEach
  void begin() {
    String[] _ = MPI.Init(new String[0]);
  }

  @AfterEach
  void end() {
    MPI.Finalize();
  }

  private static void refuses(Map<String, ThrowingCallable> calls, String words) {
    calls.forEach(
        (name, call) -> {
          MPIException e = catchThrowableOfType(MPIException.class, call);
          assertThat(e).as(name).isNotNull().hasMessageContaining(name + ": ");
          assertThat(e).hasMessageContaining(words);
          assertThat(e.getErrorClass()).as(name).isEqualTo(MPI.ERR_ARG);
        });
  }

  /** Calls with some lengths and places. */
  private Map<String, ThrowingCallable> calls(int[] n, int[] at) {
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("Gatherv", () -> SELF.Gatherv(out, 0, 1, INT, in, 0, n, at, INT, 0));
    calls.put("Igatherv", () -> SELF.Igatherv(out, 0, 1, INT, in, 0, n, at, INT, 0).Wait());
    calls.put("gatherv", () -> SELF.gatherv(out, 1, INT, in, n, at, INT, 0));
    calls.put("iGatherv", () -> SELF.iGatherv(from, 1, INT, to, n, at, INT, 0).Wait());
    calls.put("Scatterv", () -> SELF.Scatterv(out, 0, n, at, INT, in, 0, 1, INT, 0));
    calls.put("scatterv", () -> SELF.scatterv(out, n, at, INT, in, 1, INT, 0));
    calls.put("Allgatherv", () -> SELF.Allgatherv(out, 0, 1, INT, in, 0, n, at, INT));
    calls.put("allGatherv", () -> SELF.allGatherv(out, 1, INT, in, n, at, INT));
    calls.put("Alltoallv", () -> SELF.Alltoallv(out, 0, n, at, INT, in, 0, one, zero, INT));
    calls.put("allToAllv", () -> SELF.allToAllv(out, one, zero, INT, in, n, at, INT));
    calls.put("allToAllw", () -> SELF.allToAllw(out, n, at, ints, in, one, zero, ints));
    return calls;
  }

  @Test
  void lengthsAreNeeded() {
    refuses(calls(null, zero), "no ");
    refuses(calls(null, zero), "counts");
    refuses(calls(new int[0], zero), "counts: 0, and there are 1 processes");
    Map<String, ThrowingCallable> reductions = new LinkedHashMap<>();
    reductions.put("Reduce_scatter", () -> SELF.Reduce_scatter(out, 0, in, 0, null, INT, MPI.SUM));
    reductions.put("reduceScatter", () -> SELF.reduceScatter(out, in, null, INT, MPI.SUM));
    refuses(reductions, "no receive counts");
  }

  @Test
  void placesAreNeeded() {
    refuses(calls(one, null), "no displacements");
    refuses(calls(one, new int[0]), "displacements: 0, and there are 1 processes");
  }

  @Test
  void typesAreNeeded() {
    refuses(
        Map.of("allToAllw", () -> SELF.allToAllw(out, one, zero, null, in, one, zero, ints)),
        "no datatypes");
    refuses(
        Map.of(
            "allToAllw",
            () -> SELF.allToAllw(out, one, zero, ints, in, one, zero, new Datatype[0])),
        "receive types: 0");
  }
}
