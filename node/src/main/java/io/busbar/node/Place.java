package io.busbar.node;

import io.busbar.bus.BusCount;
import io.busbar.bus.Member;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One process's place in the cluster, as those see it who stand on it: the lanes to the others, the
 * driver's role, the time, and a way to wait. {@link Node} is the real one; the lab has one in
 * virtual time.
 */
public interface Place extends AutoCloseable {
  /** Who opens a place for somebody who stands on it. */
  @FunctionalInterface
  interface Opening {
    /** Opens it; its lanes call the user from then on. */
    Place open(LaneUser user) throws InterruptedException;
  }

  /** This node's id. */
  int id();

  /** How many nodes there are, this one included. */
  int size();

  /** Who is there, and who has gone and is remembered; nobody where all peers were given. */
  default List<Member> members() {
    return List.of();
  }

  /**
   * How often something has happened to this node's part in the bus; 0 where all peers were given.
   * Use it with the driver's role.
   */
  default long count(BusCount what) {
    return 0;
  }

  /** What carries the lane to each node, and why not something better. */
  Map<Integer, String> choices();

  /** The file in which other processes see this node's counters, or why there is none. */
  default String counters() {
    return "nowhere";
  }

  /** The lane to a node; null when there is no such node. Use it with the driver's role. */
  @Nullable Lane lane(int node);

  /**
   * Whether a broadcast costs its sender about as much as a message to one; not where somebody must
   * be told by himself, or there is no broadcast. Use it with the driver's role.
   */
  default boolean castsAtOnce() {
    return false;
  }

  /**
   * The lane to all others, or to those of a group; null where there is none: peers that were given
   * are in no group. Use it with the driver's role.
   *
   * @param group its name; empty for everyone
   */
  default @Nullable Lane broadcast(String group) {
    return null;
  }

  /** Buffers that can change their owner; null when there are none. */
  @Nullable Buffers buffers();

  // Driving.

  /**
   * Takes the driver's role for a moment; to be given back soon. Also while the calling thread
   * {@link #isLooking looks} at what it waits for: then it may have the role already.
   */
  void take();

  /** Gives the driver's role back. */
  void release();

  /** Receives, runs what is due, sends; with the driver's role. Whether anything happened. */
  boolean work();

  /** Whether another thread wants the role of who has it now, and does not want to wait long. */
  default boolean isWanted() {
    return false;
  }

  /**
   * Whether the calling thread drives until something that it waits for, and looks at that now: it
   * may use the place meanwhile, but neither wait nor close it, because nobody else would drive.
   */
  default boolean isLooking() {
    return false;
  }

  /**
   * Whether who waits should do so at once, instead of looking first whether anything has come:
   * after a silence, because the peer has to wake first, perhaps on this processor. From any
   * thread; a hint.
   */
  default boolean isFresh() {
    return false;
  }

  /** Whether it was left: what was kept of it is given back by that. From any thread. */
  default boolean isClosed() {
    return false;
  }

  /** What was placed leaves; with the driver's role. */
  void flush();

  /** Those who wait look again at what they wait for. From any thread. */
  void tell();

  /**
   * Who waits for another thread of this process lets it run first, if it waits for a processor.
   */
  default void offerProcessor() {}

  /** The time, from any start; for deadlines. */
  long nowNs();

  /**
   * Waits until a condition holds, and drives meanwhile if nobody else does.
   *
   * @param patienceNs how long
   * @return false when the time has passed
   */
  boolean await(BooleanSupplier condition, long patienceNs) throws InterruptedException;

  /**
   * As {@link #await}, for something that takes others a while: it looks for less long before it
   * sleeps, and leaves the processor to them.
   */
  default boolean awaitAtRest(BooleanSupplier condition, long patienceNs)
      throws InterruptedException {
    return await(condition, patienceNs);
  }

  /** Ends this node's place in the cluster; what was not delivered is not. */
  @Override
  void close();
}
