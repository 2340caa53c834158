package io.busbar.lab.stack;

import io.busbar.lab.Violation;
import io.busbar.messages.Handler;
import io.busbar.messages.InMessage;
import io.busbar.messages.MessageException;
import io.busbar.messages.MessageException.Mistake;
import io.busbar.messages.Messages;
import io.busbar.messages.ResumableHandler.Progress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of one program. Each message starts in its turn, is received unchanged, and is over
 * once; what its handler throws is told once.
 */
final class Listener implements Doing {
  private static final int LATER_NS_MAX = 20_000_000;

  /** A handler of ours threw, as it should. */
  private static final class OnPurpose extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** What is done besides. */
  interface Reaction {
    void react(Sent message, int from);
  }

  private final Referee referee;
  private final SimProcess process;
  private final Gauge gauge;
  private final Reaction reaction;
  private final SplittableRandom random;
  private final List<Reading> open = new ArrayList<>();

  /** Messages of resumable handlers. */
  private final Map<InMessage, Reading> resumable = new LinkedHashMap<>();

  /** What handlers threw and nobody has told yet. */
  private final Map<Throwable, Reading> untold = new LinkedHashMap<>();

  /** Those of whom a GO has come, or nothing more will. */
  private final BitSet goers = new BitSet();

  private int handled;
  private boolean closing;

  Listener(Referee referee, SimProcess process, Gauge gauge, Reaction reaction) {
    this.referee = referee;
    this.process = process;
    this.gauge = gauge;
    this.reaction = reaction;
    this.random = process.random();
  }

  void register(Messages messages) {
    for (Deed deed : Deed.values()) {
      deed.register(messages, this);
    }
  }

  /** The program closes: what has not arrived never will. */
  void onClosing() {
    closing = true;
  }

  /** Handlers that were called. */
  int handled() {
    return handled;
  }

  /** Whether a message of a node's has started and is not over. */
  boolean isHearing(int from) {
    return open.stream().anyMatch(reading -> reading.from() == from);
  }

  /** Messages that have started and are not over. */
  List<Reading> open() {
    return open;
  }

  private Reading start(Deed deed, int tag, @Nullable InMessage in, int from, long length) {
    handled++;
    Gauge.Waiting waiting = gauge.onStart(from);
    byte[] first = null;
    if (in != null && !referee.books().hasHeard(process, from)) {
      first = in.receiveRest();
      referee.books().onFirst(process, from, deed, tag, first);
    }
    Sent sent = referee.books().onStart(process, from, deed, tag, length);
    referee.note(process, "starts one of", from, sent.id());
    Reading reading = new Reading(sent, from, waiting, random);
    open.add(reading);
    if (first != null) {
      reading.onFirst(first);
    }
    return reading;
  }

  private void over(Reading reading) {
    boolean _ = open.remove(reading);
    reading.over();
    referee.books().onOver(reading.received());
    referee.note(process, "is done with one of", reading.from(), reading.sent().id());
  }

  // Handlers that can wait.

  @Override
  public void handle(Deed deed, int tag, InMessage in, int from) {
    process.checkAlive(); // it may have crashed in the handler before
    Reading reading = start(deed, tag, in, from, in.length());
    try {
      play(deed, in, reading);
    } catch (MessageException e) {
      checkBrokenOff(reading, e);
      untold.put(e, reading);
      throw e;
    } catch (OnPurpose e) {
      untold.put(e, reading);
      throw e;
    } finally {
      over(reading);
    }
  }

  private void play(Deed deed, InMessage in, Reading reading) {
    if (deed == Deed.WAIT) {
      awaitSomething(in, reading);
    }
    boolean early = random.nextInt(3) == 0;
    if (early) {
      reaction.react(reading.sent(), reading.from());
    }
    if (deed.readsAll()) {
      reading.read(in, Long.MAX_VALUE);
      reading.checkComplete(in);
    } else {
      reading.read(in, random.nextLong(1 + reading.sent().given()));
    }
    if (!early) {
      reaction.react(reading.sent(), reading.from());
    }
    if (deed == Deed.THROW) {
      throw new OnPurpose();
    }
    if (deed == Deed.GO) {
      letGo(reading.from());
    }
  }

  /** What is held of a node is taken from now on: it has said so, or is gone. */
  void letGo(int from) {
    goers.set(from);
    resumable.forEach(
        (in, reading) -> {
          if (reading.from() == from && reading.sent().deed() == Deed.HOLD) {
            in.resume();
          }
        });
  }

  /** Waits for other messages, and for a while at most. */
  private void awaitSomething(InMessage in, Reading reading) {
    boolean[] late = new boolean[1];
    int before = handled;
    int more = random.nextInt(4);
    at(random.nextInt(LATER_NS_MAX), in, reading, () -> late[0] = true);
    in.await(() -> late[0] || handled > before + more);
    reading.read(in, random.nextLong(1 + reading.sent().given()));
    in.await(() -> late[0]);
  }

  /** Another thread does something after a while, and has the message looked at again. */
  private void at(long ns, InMessage in, Reading reading, Runnable what) {
    process
        .schedule()
        .at(
            process.schedule().nowNs() + ns,
            () -> {
              if (!reading.isOver() && process.isRunning()) {
                what.run();
                in.resume();
              } else if (!reading.isOver() && !process.isCrashed() && !process.isEnded()) {
                at(LATER_NS_MAX, in, reading, what);
              }
            });
  }

  /** A message is broken off only by its sender, or by an end. */
  private void checkBrokenOff(Reading reading, MessageException why) {
    Promise.check(
        why.mistake() == Mistake.BROKEN_OFF,
        "no exception",
        "%s in the handler of %s",
        why,
        reading);
    referee.onBrokenOff();
    Promise.check(
        reading.sent().isBroken() || closing || referee.hasReason(process.node(), reading.from()),
        "complete or told",
        "%s was broken off without a reason: %s",
        reading,
        why);
  }

  // Handlers that cannot.

  @Override
  public Progress resume(Deed deed, int tag, InMessage in, int from) {
    process.checkAlive();
    Reading known = resumable.get(in);
    Reading reading = known == null ? start(deed, tag, in, from, in.length()) : known;
    if (known == null) {
      resumable.put(in, reading);
      reading.limit(drawLimit(deed, reading, in));
    }
    boolean wantsMore = goOn(deed, in, reading);
    if (wantsMore && in.remaining() != 0) {
      return Progress.CONTINUE;
    }
    if (wantsMore) {
      reading.checkComplete(in);
    }
    Reading _ = resumable.remove(in);
    over(reading);
    return random.nextBoolean() && in.remaining() == 0 ? Progress.CONTINUE : Progress.DONE;
  }

  /** A time for those that are left alone, bytes for the others. */
  private long drawLimit(Deed deed, Reading reading, InMessage in) {
    if (deed == Deed.LATER) {
      long ns = random.nextInt(LATER_NS_MAX);
      at(ns + 1, in, reading, () -> {});
      return process.schedule().nowNs() + ns;
    }
    return random.nextLong(1 + reading.sent().given());
  }

  /** Whether more of it is wanted. */
  private boolean goOn(Deed deed, InMessage in, Reading reading) {
    return switch (deed) {
      case LATER -> takeLater(in, reading);
      case HOLD -> {
        reading.sip(in, goers.get(reading.from()) ? Long.MAX_VALUE : 0);
        yield true;
      }
      case EARLY -> {
        reading.sip(in, reading.limit() - reading.received());
        yield reading.received() < reading.limit();
      }
      default -> sip(in, reading);
    };
  }

  private boolean takeLater(InMessage in, Reading reading) {
    if (process.schedule().nowNs() >= reading.limit()) {
      reading.sip(in, Long.MAX_VALUE);
    }
    return true;
  }

  private boolean sip(InMessage in, Reading reading) {
    boolean all = random.nextInt(3) == 0;
    reading.sip(in, all ? Long.MAX_VALUE : random.nextLong(1 + in.available()));
    if (in.available() > 0) {
      askAgain(in, reading);
    }
    return true;
  }

  private void askAgain(InMessage in, Reading reading) {
    if (random.nextBoolean()) {
      in.resume();
    } else {
      at(random.nextInt(LATER_NS_MAX / 10), in, reading, () -> {});
    }
  }

  // Events.

  void onFailed(Handler handler, int from, long bytes, Throwable why) {
    if (why instanceof Violation violation) {
      referee.fail(violation);
    } else if (why instanceof Crashed) {
      return;
    } else if (untold.containsKey(why)) {
      Reading _ = untold.remove(why);
    } else if (why instanceof MessageException broken && !resumable.isEmpty()) {
      onLost(handler, from, bytes, broken);
    } else {
      Violation violation = new Violation("no exception", "in a handler: " + why);
      violation.initCause(why);
      referee.fail(violation);
    }
  }

  /** The rest of a message will not come, and its handler is not called any more. */
  private void onLost(Handler handler, int from, long bytes, MessageException why) {
    for (Map.Entry<InMessage, Reading> entry : resumable.entrySet()) {
      Reading reading = entry.getValue();
      Sent sent = reading.sent();
      boolean unknown = sent.size() < 0;
      boolean fits =
          unknown ? bytes == reading.received() || bytes == sent.given() : bytes == sent.size();
      if (reading.from() == from && sent.deed().handler(sent.tag()).equals(handler) && fits) {
        InMessage in = entry.getKey();
        checkBrokenOff(reading, why);
        Reading _ = resumable.remove(in);
        over(reading);
        return;
      }
    }
    referee.fail(
        new Violation(
            "every event once",
            "node %d was told of %s from node %d, which had not started or was over: %s"
                .formatted(process.node(), handler, from, why)));
  }

  void onUnknown(int number, int from, long bytes) {
    Promise.check(
        number / Deed.TAGS == Deed.NOBODY.handler(0).number() / Deed.TAGS,
        "complete and unchanged",
        "a message of node %d to node %d names handler %d, which nobody named",
        from,
        process.node(),
        number);
    over(start(Deed.NOBODY, number % Deed.TAGS, null, from, bytes));
  }

  /** What must hold when the program has ended, and has not crashed. */
  void checkEnd() {
    Promise.check(
        untold.isEmpty(),
        "every event once",
        "handlers of node %d threw, and it was not told: %s",
        process.node(),
        untold);
    Promise.check(
        open.isEmpty(),
        "every handler ends",
        "node %d has ended, and handlers still wait: %s",
        process.node(),
        open);
  }
}
