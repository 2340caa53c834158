package io.busbar.bench.path;

import io.busbar.bench.contest.Meetings;
import io.busbar.fabric.Nic;
import io.busbar.messages.Handler;
import io.busbar.messages.InMessage;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.Messages;
import io.busbar.node.Node;
import io.busbar.node.NodeConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Busbar: a message of one byte; its handler receives it, and answers if it was a question. */
final class MessagesEnd implements End {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  private final NodeConfig config;
  private final boolean sleeps;
  private final MemorySegment one = Arena.ofAuto().allocate(1);
  private final BooleanSupplier enough = this::isEnough;
  private @Nullable StampingNic nic;
  private @Nullable Messages joined;
  private Handler question = Handler.named("question");
  private Handler answer = Handler.named("answer");
  private Stamps stamps = new Stamps(0, false);
  private long handled;
  private long wanted;

  MessagesEnd(String fabric, String host, boolean asks, boolean sleeps, String directory) {
    this.sleeps = sleeps;
    config = Meetings.config(fabric, host, asks, directory);
  }

  @Override
  public String address() {
    return String.valueOf(config.meeting());
  }

  @Override
  public void connect(String other) throws InterruptedException {
    NodeConfig here = Meetings.at(config, other);
    Messages fm = Messages.over(user -> Node.join(here, user, this::stamping), MessageEvents.NONE);
    question = fm.handler("question", this::onQuestion);
    answer = fm.handler("answer", this::onAnswer);
    joined = fm;
  }

  private Nic stamping(Nic below) {
    StampingNic over = new StampingNic(below);
    nic = over;
    return over;
  }

  private Messages begin(Stamps to) {
    if (joined == null || nic == null) {
      throw new IllegalStateException("not connected");
    }
    stamps = to;
    nic.to(to);
    return joined;
  }

  private void onQuestion(InMessage message, int from) {
    stamps.handled();
    message.receive(one, 0, 1);
    if (joined != null) {
      stamps.called();
      joined.send(from, answer, one, 0, 1);
    }
    handled++;
    stamps.next();
  }

  private void onAnswer(InMessage message, int from) {
    stamps.handled();
    message.receive(one, 0, 1);
    handled++;
  }

  private boolean isEnough() {
    return handled >= wanted;
  }

  private void await(Messages fm, long until) {
    wanted = until;
    if (!sleeps) {
      while (handled < until) {
        if (fm.extract() == 0) {
          Thread.onSpinWait();
        }
      }
      return;
    }
    try {
      if (!fm.await(enough, PATIENCE_NS)) {
        throw new IllegalStateException("%d of %d messages came".formatted(handled, wanted));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while waiting", e);
    }
  }

  @Override
  public void ask(Stamps to, long[] roundTripsNs, long pauseNs) {
    Messages fm = begin(to);
    for (int i = 0; i < roundTripsNs.length; i++) {
      if (pauseNs > 0) {
        LockSupport.parkNanos(pauseNs);
      }
      to.next();
      long until = handled + 1;
      long start = System.nanoTime();
      to.called();
      fm.send(1 - config.rank(), question, one, 0, 1);
      await(fm, until);
      roundTripsNs[i] = System.nanoTime() - start;
      to.done();
    }
  }

  @Override
  public void answer(Stamps to, int count) {
    Messages fm = begin(to);
    to.next();
    await(fm, handled + count);
  }

  @Override
  public void close() {
    if (joined != null) {
      joined.close();
    }
  }
}
