package io.busbar.lab;

import io.busbar.transport.Ending;
import java.util.ArrayList;
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

  List<Entry> entries() {
    return entries;
  }

  Entry add(Conversation plan) {
    Entry entry = new Entry(plan);
    entries.add(entry);
    byTag.put((long) plan.id(), entry);
    return entry;
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
        entry.targetLife == 0,
        "FIRST delivers once",
        "conversation %d was taken by life %x and again by life %x",
        tag,
        entry.targetLife,
        life);
    entry.targetLife = life;
    return entry;
  }

  void onEnded(Entry entry, boolean opener, Ending why, boolean troubled) {
    if (opener) {
      entry.openerEnding = why;
    } else {
      entry.targetEnding = why;
    }
    boolean excused = troubled || entry.plan.aborts();
    Violation.check(
        why == Ending.DISSOLVED || excused,
        "no end without a reason",
        "conversation %d ended as %s, though nobody crashed and nobody aborted",
        entry.plan.id(),
        why);
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
