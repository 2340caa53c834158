package io.busbar.lab;

import io.busbar.lab.Conversation.Welcome;
import io.busbar.transport.Ending;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The books of a run: every conversation, who took part in which life, and how it ended. */
final class Ledger {
  /** What is known of one conversation. */
  static final class Entry {
    final Conversation plan;
    final Flow forward;
    final Flow backward;
    long openerLife;
    long targetLife;
    @Nullable Ending openerEnding;
    @Nullable Ending targetEnding;

    Entry(Conversation plan) {
      this.plan = plan;
      forward = new Flow(plan.id() * 2L, plan.datagrams());
      backward = new Flow(plan.id() * 2L + 1, plan.datagrams());
    }
  }

  private final List<Entry> entries = new ArrayList<>();
  private final Map<Long, Entry> byTag = new HashMap<>();
  private final Map<Ending, Integer> endings = new EnumMap<>(Ending.class);

  List<Entry> entries() {
    return entries;
  }

  Entry add(Conversation plan) {
    Entry entry = new Entry(plan);
    entries.add(entry);
    byTag.put((long) plan.id(), entry);
    return entry;
  }

  /** Whether the target takes what FIRST with this tag offers. */
  boolean isWelcome(long tag) {
    Entry entry = byTag.get(tag);
    return entry == null || entry.plan.welcome() == Welcome.TAKEN;
  }

  void onOpen(Entry entry, long life) {
    entry.openerLife = life;
  }

  /** FIRST was taken: by the node it was meant for, once, and from the life that opened it. */
  Entry onAccepted(long tag, int node, long life, int peer, long peerLife) {
    Entry entry = byTag.get(tag);
    if (entry == null) {
      throw new Violation("nothing invented", "a FIRST with tag %d was never sent".formatted(tag));
    }
    Violation.check(
        entry.plan.target() == node && entry.plan.opener() == peer,
        "nothing invented",
        "conversation %d reached node %d",
        tag,
        node);
    Violation.check(
        entry.openerLife == peerLife,
        "nothing across incarnations",
        "conversation %d was opened by life %x, and taken from life %x",
        tag,
        entry.openerLife,
        peerLife);
    Violation.check(
        entry.plan.welcome() == Welcome.TAKEN,
        "nothing invented",
        "conversation %d was refused, and taken",
        tag);
    Violation.check(
        entry.targetLife == 0,
        "FIRST delivers once",
        "conversation %d was taken by life %x and again by life %x",
        tag,
        entry.targetLife,
        life);
    entry.targetLife = life;
    return entry;
  }

  /** How often associations ended in each way. */
  Map<Ending, Integer> endings() {
    return endings;
  }

  void onEnded(Entry entry, boolean opener, Ending why, boolean troubled) {
    endings.merge(why, 1, Integer::sum);
    if (opener) {
      entry.openerEnding = why;
    } else {
      entry.targetEnding = why;
    }
    boolean excused = troubled || entry.plan.aborts();
    Violation.check(
        excused || isMeant(entry.plan, why),
        "no end without a reason",
        "conversation %d ended as %s, though nobody crashed and nobody aborted",
        entry.plan.id(),
        why);
  }

  /** How it must end if nothing excuses it; datagrams may be over before their refusal comes. */
  private static boolean isMeant(Conversation plan, Ending why) {
    Ending meant =
        switch (plan.welcome()) {
          case TAKEN -> Ending.DISSOLVED;
          case NO_LISTENER -> Ending.NO_LISTENER;
          case REFUSED -> Ending.REFUSED;
        };
    return why == meant || (why == Ending.DISSOLVED && plan.datagrams());
  }

  long framesNeeded(int frameBytes) {
    long sum = 0;
    for (Entry entry : entries) {
      sum += entry.forward.framesNeeded(frameBytes) + entry.backward.framesNeeded(frameBytes);
    }
    return sum;
  }

  long bytesRead() {
    long sum = 0;
    for (Entry entry : entries) {
      if (!entry.plan.datagrams()) {
        sum += entry.forward.read() + entry.backward.read();
      }
    }
    return sum;
  }
}
