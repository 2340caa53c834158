package io.busbar.bus;

import io.busbar.wire.BusBlock;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.FrameView;
import io.busbar.wire.MemberCard;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Mends what was missed: two nodes whose views differ tell each other what differs. */
final class Exchange {
  /** Frames in answer to one question. */
  private static final int VIEWS = 8;

  /** About so many of those who hear a question from a newcomer answer. */
  private static final int ANSWERERS = 3;

  private final Core core;

  /** Who knows something else; a member. */
  private int other;

  private long syncAtNs = Core.NEVER;
  private long lastNs;
  private boolean hasAsked;

  Exchange(Core core) {
    this.core = core;
  }

  long dueNs() {
    return syncAtNs;
  }

  /** A frame said what its sender knows. */
  void onHash(long nowNs, FrameView view, Consumer<FrameBuilder> reply) {
    if (BusBlock.viewHash(view) == core.roster.hash()) {
      syncAtNs = view.from() == other ? Core.NEVER : syncAtNs;
      return;
    }
    Entry from = core.roster.get(view.from());
    if (from == null || from.life != view.seq()) {
      if (isFree(nowNs)) {
        core.answer(reply, question(nowNs, view.from())); // the answer has its card
      }
      return;
    }
    other = view.from();
    if (syncAtNs == Core.NEVER) {
      long freeNs = hasAsked ? lastNs + core.jitter(core.times.syncNs()) : nowNs;
      syncAtNs = Math.max(nowNs + core.jitter(core.times.settleNs()), freeNs);
    }
  }

  private boolean isFree(long nowNs) {
    return !hasAsked || nowNs - lastNs >= core.times.syncNs();
  }

  private FrameBuilder question(long nowNs, int to) {
    lastNs = nowNs;
    hasAsked = true;
    core.count(BusCount.SYNCS_OUT);
    return core.frames.sync(to, core.self.id);
  }

  void poll(long nowNs) {
    if (syncAtNs <= nowNs) {
      syncAtNs = Core.NEVER;
      Entry to = core.roster.get(other);
      if (to != null && core.isMember) {
        core.to(to, question(nowNs, to.id));
      }
    }
  }

  /** A newcomer asks whoever hears it: some of them answer. */
  void onQuestion(FrameView view, Consumer<FrameBuilder> reply) {
    boolean differs = BusBlock.viewHash(view) != core.roster.hash();
    int members = Math.max(1, core.roster.members());
    if (core.isMember && differs && core.random.nextInt(members) < ANSWERERS) {
      answer(new ArrayList<>(core.roster.all()), view.from(), reply);
    }
  }

  void onSync(FrameView view, Consumer<FrameBuilder> reply) {
    List<Entry> different = new ArrayList<>();
    for (Entry entry : core.roster.all()) {
      int number = entry.id % BusBlock.CLASSES;
      if (BusBlock.classHash(view, number) != core.roster.classHash(number)) {
        different.add(entry);
      }
    }
    answer(different, view.from(), reply);
  }

  /** From a random place on: what does not get through today does so next time. */
  private void answer(List<Entry> entries, int to, Consumer<FrameBuilder> reply) {
    if (entries.isEmpty()) {
      return;
    }
    int first = core.random.nextInt(entries.size());
    List<Entry> turned = new ArrayList<>(entries.subList(first, entries.size()));
    turned.addAll(entries.subList(0, first));
    int next = 0;
    for (int i = 0; i < VIEWS && next < turned.size(); i++) {
      next = core.frames.view(turned, next);
      core.count(BusCount.VIEWS_OUT);
      core.answer(reply, core.frames.finishView(to, core.self.id));
    }
  }

  void onView(long nowNs, FrameView view) {
    for (long at = BusBlock.listAt(view); at < BusBlock.listEnd(view); ) {
      core.hear(nowNs, view, at, true);
      at += MemberCard.length(view.segment(), at);
    }
  }
}
