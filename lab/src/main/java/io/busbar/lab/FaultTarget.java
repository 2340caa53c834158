package io.busbar.lab;

/** A cluster in virtual time, as a {@link FaultPlan} sees it. */
public interface FaultTarget {
  /** Virtual time. */
  Schedule schedule();

  /** What goes wrong with frames. */
  Faults faults();

  /** How many nodes there are. */
  int size();

  /** Whether a node is not crashed. */
  boolean isUp(int node);

  /** A node stops at once. */
  void crash(int node);

  /** A node that crashed starts again, as a new life. */
  void restart(int node);

  /** A node stands still, or goes on. */
  void pause(int node, boolean isPaused);

  /** A node looks at its ring only so often; 0: at once. */
  void slow(int node, long everyNs);

  /** A node's clock jumps. */
  void jump(int node, long aheadNs);
}
