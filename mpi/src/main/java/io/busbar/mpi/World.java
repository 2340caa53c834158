package io.busbar.mpi;

import io.busbar.mpi.MpiError.Kind;
import io.busbar.node.Place;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a job, of which this is one. It stays joined until it is closed; in between, MPI
 * can be begun and ended any number of times.
 */
public final class World implements AutoCloseable {
  private final Mail mail;
  private final MpiConfig config;

  /** Of those who want to know names; null if nobody does. */
  private final @Nullable Ledger ledger;

  /** Those below are of the world, and of each alone. */
  static final int FIRST_CONTEXT = 8;

  /** How many contexts were offered here. */
  private final AtomicInteger offered = new AtomicInteger();

  private int epoch;
  private boolean running;

  private final @Nullable Watch watch;

  private World(Mail mail, MpiConfig config, @Nullable Ledger ledger, @Nullable Watch watch) {
    this.mail = mail;
    this.config = config;
    this.ledger = ledger;
    this.watch = watch;
  }

  /** Joins, and waits for the others; all of them together are so many. */
  public static World join(Place.Opening opening, int size) throws InterruptedException {
    return join(opening, size, MpiConfig.defaults());
  }

  /** The same, as is wanted. */
  public static World join(Place.Opening opening, int size, MpiConfig config)
      throws InterruptedException {
    WatchBoard board = config.watch();
    Ledger ledger = config.checks() || board != null ? new Ledger() : null;
    Watch watch = board == null || ledger == null ? null : new Watch(board, ledger);
    Mail mail = new Mail(opening, size, config, watch);
    if (watch != null) {
      watch.start(mail.self());
    }
    return new World(mail, config, ledger, watch);
  }

  /** Begins MPI; everybody, who is in it. */
  public Communicator begin() {
    if (running) {
      throw new MpiError(Kind.OTHER, "MPI was initialised before");
    }
    running = true;
    epoch = mail.beginEpoch();
    if (watch != null) {
      watch.onFinalised(false);
    }
    if (ledger != null) {
      ledger.begin();
    }
    offered.set(0); // context 0 is that of all, 2 that of one
    return predefined(Group.all(mail.size()), 0, "the world");
  }

  /** This process alone. */
  public Communicator self() {
    return predefined(new Group(new int[] {mail.self()}), 2, "this rank alone");
  }

  private Communicator predefined(Group group, int context, String name) {
    Communicator made = new Communicator(this, mail, group, null, context, epoch);
    made.setName(name);
    onFounded(context, made);
    return made;
  }

  /**
   * Ends MPI: all that was sent is on its way. If the program is checked, all have ended it, and
   * what was left undone is said.
   */
  public void end() {
    if (!running) {
      throw new MpiError(Kind.OTHER, "MPI is not initialised");
    }
    if (config.checks() && ledger != null) {
      Map<Matching.Shelf, Integer> incomplete = mail.matching().incomplete();
      mail.finish();
      mail.awaitFinalised();
      ledger.report(rank(), mail.matching().unreceived(), incomplete);
    } else {
      mail.finish();
    }
    running = false;
    mail.matching().endEpoch();
    mail.wake();
    if (watch != null) {
      watch.onFinalised(true);
    }
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

  /** Whether members compare their calls. */
  boolean checks() {
    return config.checks();
  }

  /** What is sent by it has a place here until it is freed. */
  void onFounded(int context, Communicator communicator) {
    mail.matching().hold(communicator.epoch(), context, communicator.contexts());
    if (ledger != null) {
      ledger.add(context, communicator);
    }
  }

  void onFreed(int context, Communicator communicator) {
    mail.matching().letGo(communicator.epoch(), context, communicator.contexts());
    if (ledger != null) {
      ledger.onFreed(context);
    }
  }

  /** What this process holds for others, and they for it. */
  public Holdings holdings() {
    return mail.holdings();
  }

  /** How many messages this process has sent to all others at once, by the bus. */
  public long casts() {
    return mail.casts().sent();
  }

  /**
   * A context that nobody else offers, and nobody will again. So the highest of some offers is a
   * new one, however many communicators are made at the same time.
   */
  int offeredContext() {
    long place = (long) offered.getAndIncrement() * size() + rank();
    long context = FIRST_CONTEXT + place * Communicator.CONTEXTS;
    if (context > Integer.MAX_VALUE - Communicator.CONTEXTS) {
      throw new MpiError(Kind.OTHER, "too many communicators were made");
    }
    return (int) context;
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
    if (watch != null) {
      watch.stop();
    }
    mail.close();
  }
}
