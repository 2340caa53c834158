package io.busbar.mpi;

import io.busbar.mpi.MpiError.Kind;
import io.busbar.node.Place;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The processes of a job, of which this is one. It stays joined until it is closed; in between, MPI
 * can be begun and ended any number of times.
 */
public final class World implements AutoCloseable {
  private final Mail mail;

  /** The next context that is free here. */
  private final AtomicInteger nextContext = new AtomicInteger();

  private int epoch;
  private boolean running;

  private World(Mail mail) {
    this.mail = mail;
  }

  /** Joins, and waits for the others; all of them together are so many. */
  public static World join(Place.Opening opening, int size) throws InterruptedException {
    return join(opening, size, MpiConfig.defaults());
  }

  /** The same, with other bounds. */
  public static World join(Place.Opening opening, int size, MpiConfig config)
      throws InterruptedException {
    return new World(new Mail(opening, size, config));
  }

  /** Begins MPI; everybody, who is in it. */
  public Communicator begin() {
    if (running) {
      throw new MpiError(Kind.OTHER, "MPI was initialised before");
    }
    running = true;
    epoch = mail.matching().beginEpoch();
    nextContext.set(4); // 0 is that of all, 2 that of one
    return new Communicator(this, mail, Group.all(mail.size()), null, 0, epoch);
  }

  /** This process alone. */
  public Communicator self() {
    return new Communicator(this, mail, new Group(new int[] {mail.self()}), null, 2, epoch);
  }

  /** Ends MPI: all that was sent is on its way. */
  public void end() {
    if (!running) {
      throw new MpiError(Kind.OTHER, "MPI is not initialised");
    }
    mail.finish();
    running = false;
  }

  /** Whether MPI was begun and not ended. */
  public boolean isRunning() {
    return running;
  }

  /** The rank of this process. */
  public int rank() {
    return mail.self();
  }

  /** How many processes there are. */
  public int size() {
    return mail.size();
  }

  /** What this process holds for others, and they for it. */
  public Holdings holdings() {
    return mail.holdings();
  }

  int offeredContext() {
    return nextContext.get();
  }

  void useContext(int context) {
    int _ = nextContext.accumulateAndGet(context + 2, Math::max);
  }

  /** Tells all others to end at once. */
  public void abort(int code) {
    mail.abort(code);
  }

  /** Leaves the job because the process ends: threads that wait do so until it is gone. */
  public void endProcess() {
    mail.endProcess();
  }

  /** Leaves the job. */
  @Override
  public void close() {
    mail.close();
  }
}
