package io.busbar.bus;

import io.busbar.wire.BusBlock;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import java.util.List;
import java.util.function.Consumer;

/** Claims an id, and says hello until the others know this node. */
final class Announcer {
  private static final double GROWTH = 1.6;

  /** So many hellos ask for answers: who knows somebody asks him. */
  private static final int QUESTIONS = 3;

  /** All together say hello no more often than so many would by themselves. */
  private static final int MEMBERS_PER_HELLO = 64;

  /**
   * When it has been announced, a node says hello after so many of the longest intervals: parts of
   * a cluster that were apart from the beginning do not know of each other.
   */
  private static final int SELDOM = 6;

  /** Who is refused an id again waits before it claims another one, up to so many claims long. */
  private static final int BACK_OFF_CLAIMS_MAX = 10;

  private final Core core;
  private long startNs;
  private long takeNs = Core.NEVER;
  private long helloAtNs;
  private long intervalNs;
  private int hellos;

  /** Claims that were answered. */
  private int refusals;

  private long saidNs;
  private boolean left;

  Announcer(Core core) {
    this.core = core;
  }

  void start(long nowNs) {
    begin(nowNs);
    if (core.config.id() == BusConfig.CLAIM) {
      claim(nowNs);
    } else {
      take();
    }
  }

  private void begin(long nowNs) {
    startNs = nowNs;
    helloAtNs = nowNs;
    intervalNs = core.times.helloNs();
    hellos = 0;
  }

  /** The next one from a random place on that this node knows nobody to have; there is one. */
  private void claim(long nowNs) {
    int id = core.random.nextInt(BusConfig.ID_MAX + 1);
    while (core.roster.get(id) != null) {
      id = id == BusConfig.ID_MAX ? 0 : id + 1;
    }
    core.claim(id);
    takeNs = nowNs + core.times.claimNs();
  }

  /**
   * Somebody has the id that was claimed. Another one is claimed at once the first time, and later
   * each time: somebody may answer whatever is claimed.
   */
  private void claimAnother(long nowNs) {
    boolean wasSaid = hellos > 0;
    long sayNs = wasSaid ? nowNs + backOffNs() : Math.max(nowNs, helloAtNs);
    begin(sayNs);
    claim(sayNs);
  }

  private long backOffNs() {
    long claims = refusals == 0 ? 0 : Math.min(1L << (refusals - 1), BACK_OFF_CLAIMS_MAX);
    refusals = Math.min(refusals + 1, BACK_OFF_CLAIMS_MAX);
    return claims == 0 ? 0 : core.jitter(claims * core.times.claimNs());
  }

  private void take() {
    takeNs = Core.NEVER;
    core.describeSelf();
    core.takePart(true);
    core.events.onIdTaken(core.self.id);
  }

  /** Nobody who hears it holds this node for a member any more. */
  void leave() {
    if (core.isMember) {
      int last = Core.above(core.self.edition);
      core.roster.change(core.self, MemberState.LEFT, last, core.self.life);
      core.toAll(core.frames.news(List.of(core.self), core.self.id));
      core.takePart(false);
    }
    left = true;
  }

  boolean hasLeft() {
    return left;
  }

  long dueNs() {
    return left ? Core.NEVER : Math.min(takeNs, helloAtNs);
  }

  void poll(long nowNs) {
    if (takeNs <= nowNs) {
      take();
      begin(nowNs);
    }
    if (helloAtNs <= nowNs) {
      hello(nowNs);
    }
  }

  private void hello(long nowNs) {
    saidNs = nowNs;
    int flags = hellos++ < QUESTIONS ? BusBlock.ASKS : 0;
    flags |= core.isMember ? 0 : BusBlock.CLAIMS;
    core.count(BusCount.HELLOS_OUT);
    core.toAll(core.frames.hello(core.self, flags, Header.EVERYONE));
    boolean over = nowNs - startNs >= core.times.announceNs();
    long shareNs = core.roster.members() * (core.times.helloNs() / MEMBERS_PER_HELLO);
    long nextNs = over ? SELDOM * core.times.helloNsMax() : intervalNs;
    helloAtNs = nowNs + core.jitter(Math.max(nextNs, shareNs));
    intervalNs = Math.min((long) (intervalNs * GROWTH), core.times.helloNsMax());
  }

  /** After somebody said who is there. */
  void onHeard(long nowNs) {
    if (core.isTaken && !left) {
      claimAnother(nowNs);
    }
    core.isTaken = false;
    if (core.isMistaken) {
      helloSoon(nowNs);
    }
    core.isMistaken = false;
  }

  /**
   * Others hold something of this member that is not so: all hear soon what is. If another life has
   * its id and lives, one of the two loses it.
   */
  void helloSoon(long nowNs) {
    long soonNs = nowNs + core.jitter(core.times.settleNs());
    helloAtNs = Math.min(helloAtNs, Math.max(soonNs, saidNs + core.times.syncNs()));
  }

  /** Somebody has this node's id, or claims it. */
  void onRival(long nowNs, FrameView view, Consumer<FrameBuilder> reply) {
    boolean claims = BusBlock.has(view, BusBlock.CLAIMS);
    boolean isEarlier = Long.compareUnsigned(view.seq(), core.self.life) < 0;
    if (left) {
      return;
    }
    if (core.isMember && (claims || !isEarlier)) {
      core.answer(reply, core.frames.hello(core.self, 0, view.from()));
    } else if (core.isMember) {
      lose();
    } else if (!claims || isEarlier) {
      claimAnother(nowNs);
    } else {
      core.answer(reply, core.frames.hello(core.self, BusBlock.CLAIMS, view.from()));
    }
  }

  /** This life is over: what others hold of it must not mix with what the next one says. */
  private void lose() {
    Member self = core.self.member();
    leave();
    core.tell(MemberEvent.What.ID_LOST, self);
  }
}
