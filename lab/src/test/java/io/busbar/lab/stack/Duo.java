package io.busbar.lab.stack;

import io.busbar.lab.FaultPlan;
import io.busbar.lab.LinkSpec;
import io.busbar.lab.Shape;
import io.busbar.lab.Violation;
import io.busbar.messages.Handler;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.Messages;
import io.busbar.node.LaneUser;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Two nodes on a sound network in virtual time, and programs that a test writes for them. */
final class Duo {
  /** A program of a test. */
  interface Play {
    void play(SimProcess process) throws Exception;
  }

  /** Somebody who hears nothing. */
  static final LaneUser DEAF =
      new LaneUser() {
        @Override
        public void onLane(io.busbar.node.Lane lane) {}

        @Override
        public void onRecord(
            io.busbar.node.Lane lane, long header, MemorySegment memory, long at, int length) {}

        @Override
        public void onBody(
            io.busbar.node.Lane lane,
            long body,
            int flags,
            MemorySegment memory,
            long at,
            int length) {}

        @Override
        public void onReleased(io.busbar.node.Lane lane, long token, boolean delivered) {}

        @Override
        public void onSendable(io.busbar.node.Lane lane) {}

        @Override
        public void onEnded(io.busbar.node.Lane lane, String why) {}
      };

  static final int FRAME_BYTES = 1472;

  final Stack stack;
  private final List<Iterator<Play>> lives;
  private @Nullable Throwable failure;

  /** The plays of each node, life by life. */
  Duo(List<Play> first, List<Play> second) {
    this(first, second, 1 << 20);
  }

  /** The same; each node can hold so many bytes for the other. */
  Duo(List<Play> first, List<Play> second, long budgetBytes) {
    lives = List.of(first.iterator(), second.iterator());
    Habits habits = new Habits(100, 0, 1000, 1, 1_000_000, 64, Habits.NO_PROBES, 8);
    Shape shape = new Shape(FRAME_BYTES, false, budgetBytes, 1 << 16, 16, 8, 0, 0);
    LinkSpec link = new LinkSpec(1_000_000_000, 10_000, 256, 256);
    stack = new Stack(new SplittableRandom(1), 2, link, shape, habits, this::live);
  }

  private void live(SimProcess process) {
    try {
      lives.get(process.node()).next().play(process);
    } catch (Crashed e) {
      // it was meant to
    } catch (Exception | Error e) {
      failure = failure == null ? e : failure;
    }
  }

  /** Runs until a time of the schedule's; everybody has ended by then, or does so now. */
  void run(long untilNs) throws Throwable {
    FaultPlan.none().apply(stack);
    stack.start(1);
    stack.schedule().runUntil(untilNs);
    for (SimProcess process : stack.processes()) {
      if (!process.isEnded() && !process.isCrashed()) {
        process.crash();
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** A place without anything over it. */
  SimPlace open(SimProcess process) {
    return stack.open(process, DEAF, () -> {});
  }

  /** Messages over a place, and what happened to them. */
  final class Talk implements AutoCloseable, MessageEvents {
    final Messages messages;
    final Handler handler;
    final List<String> events = new ArrayList<>();
    int handled;

    Talk(SimProcess process) throws InterruptedException {
      messages = Messages.over(user -> stack.open(process, user, () -> {}), this);
      handler = messages.handler(1, (in, from) -> handled++);
    }

    void say(int to) {
      messages.send(to, handler, 1, 2, 3, 4);
    }

    /** Takes what comes until a time of the schedule's. */
    void extractUntil(long untilNs) throws InterruptedException {
      while (stack.schedule().nowNs() < untilNs) {
        int _ = messages.extractOrWait(untilNs - stack.schedule().nowNs());
      }
    }

    @Override
    public void onNodeGone(int node, String why) {
      events.add("node %d is gone".formatted(node));
    }

    @Override
    public void onUndelivered(int node, long bytes) {
      events.add("undelivered to node %d".formatted(node));
    }

    @Override
    public void close() {
      messages.close();
    }
  }

  Talk talk(SimProcess process) throws InterruptedException {
    return new Talk(process);
  }

  /** What a test's program found out about a promise. */
  static @Nullable String promiseBrokenBy(Runnable action) {
    try {
      action.run();
      return null;
    } catch (Violation e) {
      return e.promise();
    }
  }
}
