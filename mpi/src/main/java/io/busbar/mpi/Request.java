package io.busbar.mpi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Something that was begun and need not be over. Any thread may wait for it; what it did is visible
 * to the one who has seen that it is over.
 */
public abstract sealed class Request implements BooleanSupplier permits Receive, Send, Task {
  final Mail mail;
  private volatile boolean done;

  private static final VarHandle DONE;

  static {
    try {
      DONE = MethodHandles.lookup().findVarHandle(Request.class, "done", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private @Nullable MpiError error;
  private boolean cancelled;
  private boolean finished;
  private volatile boolean abandoned;

  // Of what came.
  int source;
  int tag;
  long bytes;
  int objects;

  Request(Mail mail) {
    this.mail = mail;
  }

  /** Whether it is over. */
  public final boolean isDone() {
    return done;
  }

  /** Whether who waits for it should look again. */
  @Override
  public final boolean getAsBoolean() {
    return done || mail.hasWork();
  }

  /** It is as if it had not begun; no other thread knows of it. */
  final void reset() {
    error = null;
    cancelled = false;
    finished = false;
    if (abandoned) {
      abandoned = false;
    }
    bytes = 0;
    objects = 0;
    DONE.set(this, false);
  }

  /** The thread that waits for it has completed it itself: nobody else knows of it. */
  final void completeHere() {
    DONE.set(this, true);
  }

  /** It is over; what was written before is seen by who waits. */
  final void complete() {
    onOver();
    done = true;
    if (abandoned) {
      finishAlone();
    }
  }

  /** It is about to be over. */
  void onOver() {}

  /** Nobody will wait for it: what is left to do is done when all is there. */
  public final void abandon() {
    abandoned = true;
    if (done) {
      finishAlone();
    }
  }

  private void finishAlone() {
    try {
      finish();
    } catch (RuntimeException e) {
      // What is wrong with it concerns who would have waited.
    }
  }

  final void fail(MpiError why) {
    onOver();
    error = why;
    done = true;
  }

  final void completeCancelled() {
    onOver();
    cancelled = true;
    done = true;
  }

  /** Waits until it is over. */
  public final void await() {
    mail.await(this);
    finish();
  }

  /**
   * The same of one that nobody else will wait for: an interrupt takes it back, and is an error; if
   * it is too late for that, its end is waited for, and the thread stays interrupted.
   */
  public final void awaitOrTakeBack() {
    mail.awaitOrTakeBack(this);
    finish();
  }

  /** Takes it back, or waits for its end if it is too late for that; no interrupt ends the wait. */
  public final void takeBack() {
    mail.takeBack(this);
    finish();
  }

  /** Whether it is over, after a look at the network. */
  public final boolean test() {
    if (!done) {
      mail.look();
    }
    if (done) {
      finish();
    }
    return done;
  }

  /** One that is over, in place of this, for which nobody waits. */
  public final Request asOver() {
    Task over = new Task(mail, () -> {});
    over.complete();
    return over;
  }

  /** Waits until one of several is over. */
  public static void awaitAny(List<Request> requests) {
    if (!requests.isEmpty()) {
      requests.getFirst().mail.awaitThat(new Waited.AnyOf(requests));
    }
  }

  /** What is left to do for who waited, once. */
  private void finish() {
    if (hasRest()) {
      finishRest();
    }
  }

  private synchronized void finishRest() {
    if (!finished) {
      finished = true;
      if (error == null && !cancelled) {
        try {
          onDone();
        } catch (MpiError e) {
          error = e;
        }
      }
    }
  }

  /** Whether who waited has something to do when all is there. */
  boolean hasRest() {
    return false;
  }

  /** What that is. */
  void onDone() {}

  /** Ends it as if it had never begun, if nothing has come of it yet. */
  public abstract void cancel();

  /** Whether it was ended so. */
  public final boolean isCancelled() {
    return cancelled;
  }

  /** Why it failed; null if it did not. */
  public final @Nullable MpiError error() {
    return error;
  }

  /** Who sent what was received, as a rank of the communicator. */
  public final int source() {
    return source;
  }

  /** The tag of what was received. */
  public final int tag() {
    return tag;
  }

  /** Bytes that were received. */
  public final long bytes() {
    return bytes;
  }

  /** Objects that were received, if it was objects. */
  public final int objects() {
    return objects;
  }
}
