package mpi;

/** The neighbours of this process in a graph that was given in parts. */
public final class DistGraphNeighbors {
  private final int[] sources;
  private final int[] sourceWeights;
  private final int[] destinations;
  private final int[] destinationWeights;
  private final boolean weighted;

  DistGraphNeighbors(
      int[] sources,
      int[] sourceWeights,
      int[] destinations,
      int[] destinationWeights,
      boolean weighted) {
    this.sources = sources;
    this.sourceWeights = sourceWeights;
    this.destinations = destinations;
    this.destinationWeights = destinationWeights;
    this.weighted = weighted;
  }

  /** How many send to it. */
  public int getInDegree() {
    return sources.length;
  }

  /** To how many it sends. */
  public int getOutDegree() {
    return destinations.length;
  }

  /** Whether edges have weights. */
  public boolean isWeighted() {
    return weighted;
  }

  /** One that sends to it. */
  public int getSource(int i) {
    return sources[i];
  }

  /** The weight of that edge. */
  public int getSourceWeight(int i) {
    return sourceWeights[i];
  }

  /** One to whom it sends. */
  public int getDestination(int i) {
    return destinations[i];
  }

  /** The weight of that edge. */
  public int getDestinationWeight(int i) {
    return destinationWeights[i];
  }
}
