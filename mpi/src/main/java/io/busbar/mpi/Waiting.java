package io.busbar.mpi;

import io.busbar.messages.MessageException;
import io.busbar.messages.MessageException.Mistake;
import io.busbar.messages.Messages;
import io.busbar.mpi.MpiError.Kind;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** How threads of a rank wait: who waits sends what others have asked for, and takes what comes. */
final class Waiting {
  private static final long FOR_EVER_NS = Long.MAX_VALUE / 4;

  /**
   * Looks before who waits leaves it to the node to wait, which looks on, and knows whether others
   * want the processor.
   */
  private static final int LOOKS = 4;

  /**
   * A virtual thread that finds work steps aside for so long: who is at that work may be another
   * one, which goes on only when somebody leaves it a processor.
   */
  private static final long ASIDE_NS = 1_000;

  private final Messages fm;
  private final Outbox outbox;

  /** Who wants to know who waits; null if nobody does. */
  private final @Nullable Watch watch;

  /** Looks in vain after which others are offered the processor. */
  private static final int LOOKS_PER_OFFER = 8;

  /** How many looks were in vain; whether threads miss some of them does not matter. */
  private int vain;

  private volatile @Nullable MpiError broken;
  private volatile boolean ending;

  Waiting(Messages fm, Outbox outbox, @Nullable Watch watch) {
    this.fm = fm;
    this.outbox = outbox;
    this.watch = watch;
  }

  /** A message was lost: nobody waits any more. */
  void onBroken(MpiError why) {
    broken = why;
  }

  /** The process ends: threads that wait do so until it is gone. */
  void endProcess() {
    ending = true;
  }

  /** Whether who waits has something to do. */
  boolean hasWork() {
    return outbox.hasWork() || broken != null;
  }

  /** Waits until a request is over; an interrupt ends the wait, and the request goes on. */
  void await(Request request) {
    try {
      awaitDone(request);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * Waits until a request is over that nobody else will wait for. An interrupt takes it back, as if
   * it had not begun, and is an error; if that is too late, its end is waited for, and the thread
   * stays interrupted.
   */
  void awaitOrTakeBack(Request request) {
    try {
      awaitDone(request);
    } catch (InterruptedException e) {
      takeBack(request);
      MpiError why = interrupted(e);
      if (request.isCancelled()) {
        throw why;
      }
    }
  }

  /** Takes a request back, or waits for its end if that is too late, whatever interrupts that. */
  void takeBack(Request request) {
    boolean interrupted = Thread.interrupted();
    request.cancel();
    while (!request.isDone()) {
      try {
        awaitDone(request);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitDone(Request request) throws InterruptedException {
    try {
      while (!request.isDone()) {
        outbox.push();
        if (extractNext() == 0) {
          awaitNews(request);
        }
      }
    } finally {
      if (watch != null) {
        watch.end();
      }
    }
  }

  /** The thread stays interrupted. */
  static MpiError interrupted(Exception why) {
    Thread.currentThread().interrupt();
    return new MpiError(Kind.OTHER, "interrupted while waiting", why);
  }

  /** Takes the next message, if it comes soon; how often a handler was called. */
  int extractNext() {
    check();
    try {
      return fm.extractNext(LOOKS);
    } catch (MessageException e) {
      throw closed(e);
    }
  }

  /** Waits until something holds. */
  void awaitThat(BooleanSupplier holds) {
    if (watch != null) {
      watch.begin(holds);
    }
    try {
      awaitHolds(holds);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } finally {
      if (watch != null) {
        watch.end();
      }
    }
  }

  private void awaitHolds(BooleanSupplier holds) throws InterruptedException {
    BooleanSupplier news = () -> holds.getAsBoolean() || hasWork();
    while (!holds.getAsBoolean()) {
      outbox.push();
      check();
      awaitNews(news);
    }
  }

  /** Waits until something holds, but no longer than this; whether it does. */
  boolean awaitFor(BooleanSupplier holds, long ns) {
    BooleanSupplier news = () -> holds.getAsBoolean() || hasWork();
    long startNs = fm.node().nowNs();
    try {
      for (long leftNs = ns; leftNs > 0; leftNs = ns - (fm.node().nowNs() - startNs)) {
        outbox.push();
        check();
        boolean _ = fm.await(news, leftNs);
        if (holds.getAsBoolean()) {
          return true;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (MessageException e) {
      throw closed(e);
    }
    return holds.getAsBoolean();
  }

  private void awaitNews(BooleanSupplier news) throws InterruptedException {
    if (watch != null) {
      watch.begin(news);
    }
    try {
      boolean _ = fm.await(news, FOR_EVER_NS);
      if (hasWork() && Thread.currentThread().isVirtual()) {
        LockSupport.parkNanos(this, ASIDE_NS);
      }
    } catch (MessageException e) {
      throw closed(e);
    }
  }

  /** Nothing can be waited for any more. If the process ends, nobody needs to hear of that. */
  private MpiError closed(MessageException why) {
    while (ending) {
      LockSupport.park(this);
    }
    return new MpiError(Kind.OTHER, "cannot wait: %s".formatted(why.getMessage()), why);
  }

  private void check() {
    MpiError why = broken;
    if (why != null) {
      throw why.again();
    }
  }

  /**
   * Takes what has come, and sends what was asked for; does not wait. Who looks again and again in
   * vain offers its processor to others now and then: they may be who it looks for.
   */
  void look() {
    outbox.push();
    check();
    if (extract() > 0) {
      vain = 0;
    } else if (++vain >= LOOKS_PER_OFFER) {
      vain = 0;
      fm.node().offerProcessor();
    }
    outbox.push();
  }

  /** Of an interrupted thread, too, which does not wait here for another one that extracts. */
  private int extract() {
    boolean interrupted = Thread.interrupted();
    try {
      return fm.extract();
    } catch (MessageException e) {
      if (e.mistake() == Mistake.TIMED_OUT) {
        return 0;
      }
      throw closed(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
