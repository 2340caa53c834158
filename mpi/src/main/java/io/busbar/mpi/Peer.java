package io.busbar.mpi;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Another rank of the world, as far as messages to and from it go. */
final class Peer {
  private static final int SENDS_BEFORE_WAIT_MIN = 64;
  private static final int SENDS_BEFORE_WAIT_MAX = 1 << 20;

  /** What may be sent to it by itself and not be asked for yet. */
  final Credit mail;

  /** The same of what is sent to all. */
  final Credit casts;

  /** How many messages to all it was sent. */
  final AtomicInteger castsOut = new AtomicInteger();

  // What it has sent to all and has come, and when it has said to end: the extractor's.
  private int castsIn;
  private int byeEpoch = -1;
  private int byeCasts;

  /** Guards the queue, and the order in which envelopes leave. */
  final ReentrantLock order = new ReentrantLock();

  /** Sends whose envelopes have not left, in order. */
  final ArrayDeque<Send> queue = new ArrayDeque<>();

  private volatile boolean queued;

  /** The push in which its queue was tried last; the pusher's. */
  long triedAt;

  /** Sends that wait for an answer of it; with the lock of {@link Matching}. */
  int outside;

  /** Payloads that were sent without being asked for; with the lock. */
  private int unasked;

  /** Payloads of which it has sent the first part, by its names; the extractor's. */
  final Map<Integer, Sink> announced = new HashMap<>();

  /** Whether anything was ever sent to it; two threads may both find that nothing was. */
  boolean spokenTo;

  /** Whether it has taken something since a send waited for that in vain. */
  private volatile boolean takes = true;

  // Sends that do not wait for credit before one waits again, and how many the next time. Threads
  // may count wrongly together; then one waits a little too soon or too late.
  private int sendsBeforeWait;
  private int sendsBeforeNextWait = SENDS_BEFORE_WAIT_MIN;

  /** Why nothing can be had from it any more; null while it can. */
  volatile @Nullable String gone;

  /** It will not send any more in an epoch, and all that it has sent to all has come. */
  volatile int finalisedEpoch = -1;

  Peer(Credit mail, Credit casts) {
    this.mail = mail;
    this.casts = casts;
  }

  /** Whether nothing was sent to it yet, which is about to change. */
  boolean isToGreet() {
    boolean first = !spokenTo;
    spokenTo = true;
    return first;
  }

  /** Whether it receives, as far as is known. */
  boolean takes() {
    return takes;
  }

  /** It has taken something that it was sent. */
  void onTakes() {
    if (!takes) {
      sendsBeforeNextWait = SENDS_BEFORE_WAIT_MIN;
      takes = true;
    }
  }

  /** It did not receive for a while: more and more is sent to it before it is waited for again. */
  void onWaitedInVain() {
    sendsBeforeWait = sendsBeforeNextWait;
    sendsBeforeNextWait = Math.min(2 * sendsBeforeNextWait, SENDS_BEFORE_WAIT_MAX);
    takes = false;
  }

  /** Whether a send without credit is to wait for some. */
  boolean isWorthWaitingFor() {
    return takes || --sendsBeforeWait < 0;
  }

  /** A message that it has sent to all has come. */
  void onCast() {
    castsIn++;
  }

  /**
   * It has said that it sends no more in an epoch. What it has sent to all may still be coming:
   * those messages take another way.
   *
   * @param sent how many it has ever sent to all, this rank among them
   */
  void onBye(int epoch, int sent) {
    byeEpoch = epoch;
    byeCasts = sent;
  }

  /** Whether it has just become certain that it sends no more in an epoch. */
  boolean hasJustFinalised() {
    if (byeEpoch < 0 || castsIn - byeCasts < 0) {
      return false;
    }
    finalisedEpoch = byeEpoch;
    byeEpoch = -1;
    return true;
  }

  /** A name for a payload that is not asked for; with the queue's lock. */
  int nameUnasked() {
    return ++unasked;
  }

  /** Whether no send waits to leave. */
  boolean isClear() {
    return !queued;
  }

  /** After a change of the queue, with its lock. */
  void noteQueue() {
    queued = !queue.isEmpty();
  }
}
