package io.busbar.mpi;

import io.busbar.mpi.MpiError.Kind;

/** Something that goes on by itself: a collective that its caller does not wait for. */
final class Task extends Request {
  private final Runnable work;

  /** Whether it is a collective, and not only something that is over. */
  private boolean isStarted;

  Task(Mail mail, Runnable work) {
    super(mail);
    this.work = work;
  }

  /** Begins it, on a thread of its own. */
  Task start(String what) {
    isStarted = true;
    mail.tasks().start("busbar mpi " + what, this::run);
    return this;
  }

  private void run() {
    try {
      work.run();
      complete();
    } catch (MpiError e) {
      fail(e);
    } catch (RuntimeException | Error e) {
      fail(new MpiError(Kind.OTHER, "a collective failed: %s".formatted(e), e));
    }
    mail.wake();
  }

  /** A collective cannot be cancelled, though it may be over. */
  @Override
  public void cancel() {
    if (isStarted) {
      throw new MpiError(Kind.REQUEST, "a collective cannot be cancelled");
    }
  }
}
