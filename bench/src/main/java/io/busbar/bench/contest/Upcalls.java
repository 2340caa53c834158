package io.busbar.bench.contest;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A contender that calls when bytes have come, on a thread of its own: all that a run does is done
 * in those calls, as such systems want it, and the thread that was told to run waits.
 */
abstract class Upcalls implements Contender {
  private static final long PATIENCE_S = 60;

  /** What is done with what comes. */
  private volatile Run run = new Run(0, 0);

  /** Sends a message of so many bytes at once. */
  abstract void send(int bytes);

  /** Lets a run begin, in its turn among the calls. */
  abstract void begin(Runnable start);

  /** A run is over; no call belongs to it any more. */
  void onOver() {}

  /** What comes next is done with; the one that calls is the only one that does. */
  final void onBytes(int count) {
    run.onBytes(count);
  }

  /** More can be sent. */
  final void onRoom() {
    run.onRoom();
  }

  final void onFailure(Throwable why) {
    run.fail(why);
  }

  /** One end of one run. */
  class Run {
    final int bytes;
    final int count;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable Throwable failure;
    long came;

    Run(int bytes, int count) {
      this.bytes = bytes;
      this.count = count;
    }

    void begin() {}

    void onBytes(int more) {
      came += more;
    }

    void onRoom() {}

    /** What comes from now on is the next run's. */
    final void end() {
      run = new Run(0, 0);
      onOver();
      over.countDown();
    }

    private void fail(Throwable why) {
      failure = why;
      over.countDown();
    }
  }

  /** Each question after the answer to the former. */
  private final class Asking extends Run {
    private final long[] roundTripsNs;
    private int answered;
    private long startNs;

    Asking(int bytes, int count, long[] roundTripsNs) {
      super(bytes, count);
      this.roundTripsNs = roundTripsNs;
    }

    @Override
    void begin() {
      startNs = System.nanoTime();
      send(bytes);
    }

    @Override
    void onBytes(int more) {
      came += more;
      if (came < bytes) {
        return;
      }
      came = 0;
      roundTripsNs[answered++] = System.nanoTime() - startNs;
      if (answered == count) {
        end();
      } else {
        begin();
      }
    }
  }

  private final class Answering extends Run {
    private int answered;

    Answering(int bytes, int count) {
      super(bytes, count);
    }

    @Override
    void onBytes(int more) {
      came += more;
      if (came >= bytes) {
        came = 0;
        send(bytes);
        if (++answered == count) {
          end();
        }
      }
    }
  }

  private final class Sinking extends Run {
    Sinking(int bytes, int count) {
      super(bytes, count);
    }

    @Override
    void onBytes(int more) {
      came += more;
      if (came == (long) bytes * count) {
        send(1);
        end();
      }
    }
  }

  static void await(CountDownLatch what, String otherwise) {
    try {
      if (!what.await(PATIENCE_S, TimeUnit.SECONDS)) {
        throw new IllegalStateException("%s in %d s".formatted(otherwise, PATIENCE_S));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while waiting", e);
    }
  }

  /** Does a run to its end. */
  final void perform(Run next) {
    start(next);
    awaitOver(next);
  }

  /** Bytes that came before their run began are its first ones. */
  final void start(Run next) {
    begin(
        () -> {
          long early = run.came;
          run = next;
          next.begin();
          if (early > 0) {
            next.onBytes((int) early);
          }
        });
  }

  static void awaitOver(Run next) {
    await(next.over, "a run was not over");
    Throwable why = next.failure;
    if (why != null) {
      throw new IllegalStateException(why);
    }
  }

  @Override
  public final void ask(int bytes, int count, long[] roundTripsNs) {
    perform(new Asking(bytes, count, roundTripsNs));
  }

  @Override
  public final void answer(int bytes, int count) {
    perform(new Answering(bytes, count));
  }

  @Override
  public final void sink(int bytes, int count) {
    perform(new Sinking(bytes, count));
  }
}
