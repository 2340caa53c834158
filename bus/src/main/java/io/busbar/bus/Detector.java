package io.busbar.bus;

import io.busbar.wire.BusBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.FrameView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks members for a sign of life, one in each period; suspects and buries who gives none. Every
 * other period the turn is the successor's: so each member is asked by somebody within two.
 */
final class Detector {
  /** So many others are asked to probe who did not answer. */
  private static final int HELPERS = 3;

  private final Core core;

  /** Those who are probed before anybody is probed again, the next one last. */
  private final List<Integer> round = new ArrayList<>();

  private @Nullable Entry probed;
  private long probedLife;
  private long probedNs;
  private long nonce;
  private boolean answered;
  private boolean isTurnOfSuccessor;
  private long helpAtNs = Core.NEVER;
  private long periodAtNs;
  private long graveAtNs;

  Detector(Core core) {
    this.core = core;
  }

  void start(long nowNs) {
    periodAtNs = nowNs + core.jitter(core.times.periodNs());
    graveAtNs = nowNs + core.jitter(core.times.graveNs());
  }

  long dueNs() {
    long due = Math.min(Math.min(periodAtNs, helpAtNs), graveAtNs);
    for (Entry entry : core.roster.suspects()) {
      due = Math.min(due, Math.min(entry.deadlineNs, entry.urgeAtNs));
    }
    for (Entry entry : core.doubted) {
      due = Math.min(due, entry.doubtNs);
    }
    return due;
  }

  /** This node slept: whoever did not answer meanwhile is not to blame. */
  void forgive(long nowNs, long ns) {
    probed = null;
    helpAtNs = Core.NEVER;
    periodAtNs = nowNs + core.jitter(core.times.periodNs());
    for (Entry entry : core.roster.suspects()) {
      entry.deadlineNs += ns;
    }
  }

  void poll(long nowNs) {
    for (Entry entry : core.doubted) {
      probe(entry, entry, core.random.nextLong());
    }
    core.doubted.clear();
    if (helpAtNs <= nowNs) {
      askForHelp();
    }
    if (periodAtNs <= nowNs) {
      judge(nowNs);
      periodAtNs = nowNs + core.jitter(core.times.periodNs());
      probeNext(nowNs);
    }
    if (graveAtNs <= nowNs) {
      graveAtNs = nowNs + core.jitter(core.times.graveNs());
      probeTheDead(nowNs);
    }
    for (Entry entry : List.copyOf(core.roster.suspects())) {
      if (entry.deadlineNs <= nowNs && nowNs - entry.signNs < core.times.periodNs()) {
        entry.deadlineNs =
            entry.signNs + core.times.periodNs(); // it lives, whatever it does not say
      } else if (entry.deadlineNs <= nowNs) {
        bury(nowNs, entry);
      } else if (entry.urgeAtNs <= nowNs) {
        entry.urgeAtNs = nowNs + core.times.answerNs();
        probe(entry, entry, core.random.nextLong());
      }
    }
  }

  private void bury(long nowNs, Entry entry) {
    MemberState end = entry.isSaidToHaveLeft ? MemberState.LEFT : MemberState.DEAD;
    core.change(nowNs, entry, end, entry.edition, entry.life);
    core.tellAll(nowNs, entry);
  }

  /** Something else was heard of a life: it lives, though it may have no time to answer. */
  void onSign(long nowNs, Entry of) {
    if (of != core.self && of.state.isMember()) {
      of.signNs = nowNs;
    }
  }

  /** The kernel says that the process of a life has ended: nobody has to be asked. */
  void onProcessEnded(long nowNs, int id, long life) {
    Entry entry = core.roster.get(id);
    if (entry != null && entry != core.self && entry.life == life && entry.state.isMember()) {
      bury(nowNs, entry);
    }
  }

  private void judge(long nowNs) {
    Entry entry = probed;
    probed = null;
    helpAtNs = Core.NEVER;
    boolean isSame = entry != null && core.roster.get(entry.id) == entry;
    boolean spoke = entry != null && entry.signNs - probedNs >= 0;
    if (entry != null && isSame && !answered && !spoke && entry.life == probedLife) {
      if (entry.state == MemberState.ALIVE) {
        core.change(nowNs, entry, MemberState.SUSPECTED, entry.edition, entry.life);
        entry.urgeAtNs = nowNs + core.times.answerNs();
        core.tellAll(nowNs, entry);
      }
    }
  }

  private void probeNext(long nowNs) {
    isTurnOfSuccessor = !isTurnOfSuccessor;
    Entry successor = isTurnOfSuccessor ? core.roster.successor(core.self) : null;
    Entry entry = successor == null ? nextOfRound() : successor;
    if (entry == null) {
      return;
    }
    probed = entry;
    probedLife = entry.life;
    probedNs = nowNs;
    nonce = core.random.nextLong();
    answered = false;
    helpAtNs = nowNs + core.times.answerNs();
    probe(entry, entry, nonce);
  }

  private @Nullable Entry nextOfRound() {
    for (int turn = 0; turn < 2; turn++) {
      while (!round.isEmpty()) {
        Entry entry = core.roster.get(round.removeLast());
        if (entry != null && entry != core.self && entry.state.isMember()) {
          return entry;
        }
      }
      fillRound();
    }
    return null;
  }

  private void fillRound() {
    core.roster.all().stream().filter(e -> e.state.isMember()).forEach(e -> round.add(e.id));
    for (int i = round.size() - 1; i > 0; i--) {
      int other = core.random.nextInt(i + 1);
      Integer moved = round.get(i);
      round.set(i, round.get(other));
      round.set(other, moved);
    }
  }

  private void probe(Entry to, Entry target, long question) {
    core.count(BusCount.PROBES_OUT);
    if (to == target) {
      target.question = question;
    }
    core.to(
        to,
        core.frames.probe(
            Format.PROBE,
            to.id,
            core.self,
            question,
            core.self.id,
            target.id,
            target.life,
            core.records(to)));
  }

  /** Asks once more, and others to ask. */
  private void askForHelp() {
    helpAtNs = Core.NEVER;
    Entry target = probed;
    if (target == null || answered) {
      return;
    }
    probe(target, target, nonce);
    List<Entry> others = new ArrayList<>(core.roster.all());
    others.removeIf(e -> e == target || e == core.self || e.state != MemberState.ALIVE);
    for (int i = 0; i < HELPERS && !others.isEmpty(); i++) {
      probe(others.remove(core.random.nextInt(others.size())), target, nonce);
    }
  }

  /** A partition that has healed is noticed so. Who has been gone for long is forgotten. */
  private void probeTheDead(long nowNs) {
    List<Entry> dead = new ArrayList<>(core.roster.all());
    dead.removeIf(e -> e.state.isMember());
    for (Entry entry : List.copyOf(dead)) {
      if (nowNs - entry.goneNs > core.times.keepNs()) {
        core.forget(entry);
        dead.remove(entry);
      }
    }
    dead.removeIf(e -> e.state == MemberState.LEFT);
    if (!dead.isEmpty()) {
      Entry entry = dead.get(core.random.nextInt(dead.size()));
      probe(entry, entry, core.random.nextLong());
    }
  }

  // What others ask, and answer.

  void onProbe(FrameView view, Consumer<FrameBuilder> reply) {
    int target = BusBlock.target(view);
    if (target == core.self.id) {
      answer(view, reply);
    } else {
      pass(view, target, BusBlock.targetLife(view));
    }
  }

  private void answer(FrameView view, Consumer<FrameBuilder> reply) {
    Entry from = core.roster.get(view.from());
    List<Entry> records = from == null ? List.of(core.self) : core.records(from);
    core.count(BusCount.ANSWERS_OUT);
    core.answer(
        reply,
        core.frames.probe(
            Format.ANSWER,
            view.from(),
            core.self,
            BusBlock.nonce(view),
            BusBlock.origin(view),
            core.self.id,
            core.self.life,
            records));
    if (BusBlock.targetLife(view) != core.self.life) {
      core.answer(reply, core.frames.hello(core.self, 0, view.from())); // another life was meant
    }
  }

  void onAnswer(FrameView view) {
    long life = BusBlock.targetLife(view);
    if (BusBlock.origin(view) != core.self.id) {
      pass(view, BusBlock.origin(view), 0);
    } else if (BusBlock.nonce(view) == nonce && life == probedLife) {
      answered = true;
      helpAtNs = Core.NEVER;
    } else {
      noteHeir(core.roster.get(view.from()), view, life);
    }
  }

  /** Who answers at the address of a node with its id, and lives another life, follows it. */
  private static void noteHeir(@Nullable Entry asked, FrameView view, long life) {
    if (asked != null
        && asked.question != 0
        && BusBlock.nonce(view) == asked.question
        && BusBlock.target(view) == asked.id
        && view.seq() == life
        && life != asked.life) {
      asked.heir = life;
    }
  }

  /** A question goes on to whom it is about, an answer to who wants it. */
  private void pass(FrameView view, int id, long life) {
    Entry to = core.roster.get(id);
    boolean isRight = to != null && (life == 0 || to.life == life);
    if (to != null && isRight) {
      core.to(
          to,
          core.frames.probe(
              view.format(),
              id,
              core.self,
              BusBlock.nonce(view),
              BusBlock.origin(view),
              BusBlock.target(view),
              BusBlock.targetLife(view),
              core.records(to)));
    }
  }
}
