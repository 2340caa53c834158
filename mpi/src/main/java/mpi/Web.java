package mpi;

import io.busbar.mpi.Communicator;
import io.busbar.mpi.Datatype;
import io.busbar.mpi.MpiError;
import java.util.ArrayList;
import java.util.List;

/** A graph of processes: all of it, or the part around this one. */
final class Web {
  final int[] index;
  final int[] edges;
  private final DistGraphNeighbors around;
  private final int[] sources;
  private final int[] destinations;

  private Web(
      int[] index, int[] edges, DistGraphNeighbors around, int[] sources, int[] destinations) {
    this.index = index;
    this.edges = edges;
    this.around = around;
    this.sources = sources;
    this.destinations = destinations;
  }

  static Web of(String call, int[] index, int[] edges, int available) {
    int before = 0;
    for (int end : index) {
      if (end < before || end > edges.length) {
        throw new MPIException(
            MPI.ERR_ARG, "%s: an index is %d after %d".formatted(call, end, before));
      }
      before = end;
    }
    if (index.length > available) {
      throw new MPIException(
          MPI.ERR_ARG,
          "%s: %d nodes, and there are %d processes".formatted(call, index.length, available));
    }
    for (int edge : edges) {
      if (edge < 0 || edge >= index.length) {
        throw new MPIException(MPI.ERR_ARG, "%s: an edge to %d".formatted(call, edge));
      }
    }
    return new Web(index.clone(), edges.clone(), null, new int[0], new int[0]);
  }

  static Web adjacent(
      int[] sources, int[] sourceWeights, int[] destinations, int[] destWeights, boolean weighted) {
    DistGraphNeighbors around =
        new DistGraphNeighbors(
            sources.clone(),
            sourceWeights.clone(),
            destinations.clone(),
            destWeights.clone(),
            weighted);
    return new Web(new int[0], new int[0], around, sources.clone(), destinations.clone());
  }

  /** Refuses what names fewer edges than there are to be; more do not matter. */
  static void check(int[] sources, int[] degrees, int[] destinations, int[] weights) {
    long edges = edges(sources, degrees);
    if (edges < 0 || destinations.length < edges || weights.length < edges) {
      throw new MpiError(
          MpiError.Kind.ARG,
          "degrees of %d edges, %d destinations, %d weights"
              .formatted(edges, destinations.length, weights.length));
    }
  }

  /** How many edges there are; negative if that cannot be. */
  private static long edges(int[] sources, int[] degrees) {
    long edges = 0;
    for (int i = 0; i < sources.length; i++) {
      if (i >= degrees.length || degrees[i] < 0) {
        return -1;
      }
      edges += degrees[i];
    }
    return edges;
  }

  /** Each process gives some edges; all of them hear of all, and keep those around themselves. */
  static Web distributed(
      Communicator core,
      int[] sources,
      int[] degrees,
      int[] destinations,
      int[] weights,
      boolean weighted) {
    int n = core.size();
    int[] mine = new int[3 * Math.toIntExact(edges(sources, degrees))];
    int next = 0;
    for (int i = 0; i < sources.length; i++) {
      for (int k = 0; k < degrees[i]; k++) {
        mine[3 * next] = sources[i];
        mine[3 * next + 1] = destinations[next];
        mine[3 * next + 2] = weights[next];
        next++;
      }
    }
    int[] counts = new int[n];
    int[] length = {mine.length};
    core.collectives().allGather(length, 0, 1, Datatype.INT, counts, 0, 1, Datatype.INT);
    int[] places = new int[n];
    int total = 0;
    for (int i = 0; i < n; i++) {
      places[i] = total;
      total += counts[i];
    }
    int[] all = new int[total];
    core.collectives()
        .allGatherv(mine, 0, mine.length, Datatype.INT, all, 0, counts, places, Datatype.INT);
    return around(core.rank(), all, weighted);
  }

  private static Web around(int rank, int[] all, boolean weighted) {
    List<int[]> in = new ArrayList<>();
    List<int[]> out = new ArrayList<>();
    for (int i = 0; i < all.length; i += 3) {
      if (all[i + 1] == rank) {
        in.add(new int[] {all[i], all[i + 2]});
      }
      if (all[i] == rank) {
        out.add(new int[] {all[i + 1], all[i + 2]});
      }
    }
    return adjacent(column(in, 0), column(in, 1), column(out, 0), column(out, 1), weighted);
  }

  private static int[] column(List<int[]> rows, int i) {
    return rows.stream().mapToInt(row -> row[i]).toArray();
  }

  boolean isDistributed() {
    return around != null;
  }

  DistGraphNeighbors around() {
    if (around == null) {
      throw new MPIException(
          MPI.ERR_TOPOLOGY, "getDistGraphNeighbors: the graph was given as a whole");
    }
    return around;
  }

  int[] neighbours(int rank) {
    if (rank < 0 || rank >= index.length) {
      throw new MPIException(
          MPI.ERR_RANK,
          "getNeighbors: rank %d; allowed: 0 to %d".formatted(rank, index.length - 1));
    }
    return java.util.Arrays.copyOfRange(edges, rank == 0 ? 0 : index[rank - 1], index[rank]);
  }

  int[] sources(int rank) {
    return around == null ? neighbours(rank) : sources;
  }

  int[] destinations(int rank) {
    return around == null ? neighbours(rank) : destinations;
  }
}
