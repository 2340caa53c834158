package mpi;

/** A graph: the neighbours of node i are the edges from index i - 1 to index i. */
public final class GraphParms {
  /** How many edges the nodes up to each have. */
  public int[] index;

  /** The neighbours, node by node. */
  public int[] edges;

  GraphParms(int[] index, int[] edges) {
    this.index = index;
    this.edges = edges;
  }

  /** How many nodes there are. */
  public int getIndexCount() {
    return index.length;
  }

  /** How many edges the nodes up to one have. */
  public int getIndex(int i) {
    return index[i];
  }

  /** How many edges there are. */
  public int getEdgeCount() {
    return edges.length;
  }

  /** A neighbour. */
  public int getEdge(int i) {
    return edges[i];
  }
}
