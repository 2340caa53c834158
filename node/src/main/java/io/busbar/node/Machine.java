package io.busbar.node;

/**
 * What is driven. Only the holder of the driver's role calls these methods, but for those that say
 * so.
 */
interface Machine {
  /** Nothing is due. */
  long NEVER = Engine.NEVER;

  /** Receives, runs what is due and sends, within a budget; whether anything happened. */
  boolean work();

  /** Says that the driver is about to sleep, and looks once more; false: it must not. */
  boolean arm();

  /** The driver is awake again; the next round of work looks everywhere. */
  void disarm();

  /** Nanoseconds until something is due; {@link #NEVER} when nothing is. */
  long dueInNs();

  /** Sleeps until something comes, somebody rings, or so many nanoseconds have passed. */
  void sleep(long ns);

  /**
   * Others who wait for this thread's processor go first; nothing has come for a while.
   *
   * @return whether there was one
   */
  boolean offerProcessor();

  /** Wakes who sleeps in {@link #sleep}, now or the next time. From any thread. */
  void ring();

  /** As {@link #arm}, for a thread that gives the role back then and goes to {@link #watch}. */
  boolean armWatch();

  /**
   * Sleeps without the role until something comes, the watch is called off, or so many nanoseconds
   * have passed.
   */
  void watch(long ns);

  /** Before {@link #rest}: what called who rests until now is forgotten. Without the role. */
  void beginRest();

  /** Sleeps without the role until it is called; nothing that comes wakes it. */
  void rest();

  /** Wakes who is in {@link #watch} or {@link #rest}, or is about to. From any thread. */
  void callOffWatch();

  /**
   * As {@link #callOffWatch}, in so many nanoseconds: for a thread that has no time to wake another
   * one now, and may look itself before. From any thread.
   */
  void callOffWatchIn(long ns);
}
