package io.busbar.mpi;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Another rank of the world, as far as messages to and from it go. */
final class Peer {
  /** What an envelope costs besides its payload: about what it takes to keep it. */
  private static final int ENVELOPE_CHARGE = 96;

  /** Bytes that may be sent to it and not be asked for yet. */
  private final AtomicLong credit;

  /** Bytes of its that were dealt with, and that it was not told of. */
  private final AtomicLong dealtWith = new AtomicLong();

  private final long tellBytes;

  /** Guards the queue, and the order in which envelopes leave. */
  final ReentrantLock order = new ReentrantLock();

  /** Sends whose envelopes have not left, in order. */
  final ArrayDeque<Send> queue = new ArrayDeque<>();

  private volatile boolean queued;

  /** The push in which its queue was tried last; the pusher's. */
  long triedAt;

  /** Payloads that were sent without being asked for; with the lock. */
  private int unasked;

  /** Payloads that it has announced and that have not begun, by its names; the extractor's. */
  final Map<Integer, Sink> announced = new HashMap<>();

  /** Whether anything was ever sent to it; two threads may both find that nothing was. */
  boolean spokenTo;

  /** Why nothing can be had from it any more; null while it can. */
  volatile @Nullable String gone;

  /** It has said that it will not send any more in an epoch. */
  volatile int finalisedEpoch = -1;

  Peer(long creditBytes) {
    credit = new AtomicLong(creditBytes);
    tellBytes = creditBytes / 2;
  }

  private static long charge(long bytes) {
    return bytes + ENVELOPE_CHARGE;
  }

  /** Takes credit for a message, if there is enough. */
  boolean spend(long bytes) {
    long need = charge(bytes);
    long have = credit.get();
    while (have >= need) {
      if (credit.compareAndSet(have, have - need)) {
        return true;
      }
      have = credit.get();
    }
    return false;
  }

  /** A message was not sent, or the other one is done with some. */
  void refund(long bytes) {
    long _ = credit.addAndGet(charge(bytes));
  }

  void onCredit(long charged) {
    long _ = credit.addAndGet(charged);
  }

  /** Whether nothing was sent to it yet, which is about to change. */
  boolean isToGreet() {
    boolean first = !spokenTo;
    spokenTo = true;
    return first;
  }

  long credit() {
    return credit.get();
  }

  long untold() {
    return dealtWith.get();
  }

  /** A message of its was dealt with; how much it is to be told of now, or 0. */
  int dealtWith(long bytes) {
    if (dealtWith.addAndGet(charge(bytes)) < tellBytes) {
      return 0;
    }
    return (int) dealtWith.getAndSet(0);
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
