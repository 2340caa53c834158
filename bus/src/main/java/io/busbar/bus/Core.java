package io.busbar.bus;

import io.busbar.bus.MemberEvent.What;
import io.busbar.wire.BusBlock;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.FrameView;
import io.busbar.wire.MemberCard;
import io.busbar.wire.MemberRecord;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the parts of the bus share: what is known, and how it is changed and told. */
final class Core {
  static final long NEVER = Long.MAX_VALUE;

  /** Who only claims an id says nothing of itself. */
  private static final MemberCard NOBODY = new MemberCard("", "", List.of(), Map.of());

  /**
   * A suspicion lasts so many periods: a node that stands still for less is not taken for dead.
   * Where word of it takes longer to get around, as many as the number of nodes has doublings.
   */
  private static final int SUSPICION_PERIODS = 5;

  /** What this node has found out is told so often, and once more with each doubling. */
  private static final int TOLD = 3;

  final BusConfig config;
  final BusConfig.Times times;
  final SplittableRandom random;
  final Roster roster;
  final Frames frames;
  final MemberEvents events;
  final News news = new News();

  /** This node; it is in the roster once it has its id. */
  Entry self;

  boolean isMember;

  /** Whether somebody else has the id that this node claims. */
  boolean isTaken;

  /**
   * Whether others hold something of this member that is not so: another life with its id, an
   * edition that it never had, or another card.
   */
  boolean isMistaken;

  /** Who themselves said that they live another life, which is no later. */
  final List<Entry> doubted = new ArrayList<>();

  /** When this node tells everyone what it has found out; {@link #NEVER} when there is nothing. */
  long newsAtNs = NEVER;

  private final BusSink sink;
  private final long[] counts = new long[BusCount.values().length];
  private long viewNumber;
  private long toldNs;

  Core(BusConfig config, BusSink sink, MemberEvents events) {
    this.config = config;
    this.times = config.times();
    this.random = new SplittableRandom(config.seed());
    this.roster = new Roster(config.membersMax());
    this.frames = new Frames(config, roster);
    this.sink = sink;
    this.events = events;
    this.toldNs = -times.newsNs();
    this.self = selfWith(config.id());
  }

  private Entry selfWith(int id) {
    Entry entry = new Entry(id, NOBODY);
    entry.life = config.incarnation();
    return entry;
  }

  /** This node wants an id. */
  void claim(int id) {
    self = selfWith(id);
  }

  /** This node has its id, and says who it is. */
  void describeSelf() {
    MemberCard card = config.card().apply(self.id);
    self.describe(card, card.encoded());
  }

  void forget(Entry entry) {
    viewNumber++;
    roster.remove(entry);
    news.remove(entry);
    news.remove(entry.former(0));
    doubted.remove(entry);
    sink.forget(entry.member());
  }

  void count(BusCount what) {
    counts[what.slot]++;
  }

  long counted(BusCount what) {
    return counts[what.slot];
  }

  long viewNumber() {
    return viewNumber;
  }

  /** This node is in its view from now on, or not any more. */
  void takePart(boolean asMember) {
    isMember = asMember;
    viewNumber++;
    if (asMember) {
      roster.add(self);
    } else {
      roster.remove(self);
    }
  }

  /** A time, give or take a quarter. */
  long jitter(long ns) {
    return ns - ns / 4 + random.nextLong(Math.max(1, ns / 2));
  }

  private int doublings() {
    return Integer.SIZE - Integer.numberOfLeadingZeros(roster.members());
  }

  long suspicionNs() {
    return times.periodNs() * Math.max(SUSPICION_PERIODS, doublings());
  }

  // Sending.

  void toAll(FrameBuilder frame) {
    count(BusCount.FRAMES_OUT);
    sink.toAll(frame);
  }

  void to(Entry entry, FrameBuilder frame) {
    count(BusCount.FRAMES_OUT);
    sink.to(entry.member(), frame);
  }

  /** A frame to who sent the one that is being heard. */
  void answer(Consumer<FrameBuilder> reply, FrameBuilder frame) {
    count(BusCount.FRAMES_OUT);
    reply.accept(frame);
  }

  /** What rides on a frame to a node: this node, what is held against that one, and news. */
  List<Entry> records(Entry to) {
    List<Entry> records = new ArrayList<>();
    if (isMember) {
      records.add(self);
    }
    if (to.state != MemberState.ALIVE) {
      records.add(to);
    }
    news.take(records);
    return records;
  }

  /** Something that this node has found out: everyone hears it soon. */
  void tellAll(long nowNs, Entry entry) {
    news.add(entry, TOLD + doublings());
    newsAtNs = Math.min(newsAtNs, Math.max(nowNs, toldNs + times.newsNs()));
  }

  void tellNews(long nowNs) {
    newsAtNs = NEVER;
    toldNs = nowNs;
    List<Entry> records = new ArrayList<>();
    if (isMember) {
      records.add(self);
    }
    news.take(records);
    count(BusCount.NEWS_OUT);
    toAll(frames.news(records, self.id));
  }

  // Hearing.

  /** Hears all records of a frame. */
  void hearRecords(long nowNs, FrameView view) {
    for (long at = BusBlock.listAt(view); at < BusBlock.listEnd(view); at += MemberRecord.BYTES) {
      hear(nowNs, view, at, false);
    }
  }

  /** The sender of a frame says something of a node: a record, or a whole card. */
  void hear(long nowNs, FrameView view, long at, boolean hasCard) {
    MemorySegment bytes = view.segment();
    int id = MemberRecord.id(bytes, at);
    MemberState state = MemberState.of(MemberRecord.state(bytes, at));
    int edition = MemberRecord.edition(bytes, at);
    long life = MemberRecord.life(bytes, at);
    if (id == self.id) {
      hearOfSelf(nowNs, state, edition, life, hasCard && !isCardOf(self, bytes, at));
      return;
    }
    boolean isOwnWord = view.from() == id && view.seq() == life;
    Entry known = roster.get(id);
    if (known == null) {
      if (hasCard && state.isMember()) {
        add(nowNs, id, state, edition, life, bytes, at);
      }
    } else if (isBelieved(known, isOwnWord, state, edition, life)
        && (hasCard || known.life == life)) {
      known.noteEnd(state, life);
      if (hasCard && (isOwnWord || life != known.life || edition > known.edition)) {
        takeCard(known, bytes, at); // who accuses it has no other one
      }
      takeRecord(nowNs, known, isOwnWord, state, edition, life);
    } else if (hasCard && isOwnWord && known.life == life && known.edition == edition) {
      takeCard(known, bytes, at); // others may have said something else of it before
    } else if (known.life != life && isOwnWord) {
      doubt(nowNs, known);
    } else if (state == MemberState.ALIVE && known.isOver(life, edition, false)) {
      tellAll(nowNs, known.former(edition)); // who says so has not heard of its end
    }
  }

  /** A member believes only the hello of another life with its id: it may be a former one. */
  private void hearOfSelf(
      long nowNs, MemberState state, int edition, long life, boolean isOtherCard) {
    boolean isOther = life != self.life && state.isMember();
    isTaken |= !isMember && isOther;
    isMistaken |= isMember && isOther;
    if (life == self.life && isMember) {
      correct(nowNs, state, edition, isOtherCard);
    }
  }

  /**
   * That a node is dead, or has left as others say, is believed when it has had the time of a
   * suspicion to refute that, however often and by whomever it is said.
   */
  private void takeRecord(
      long nowNs, Entry known, boolean isOwnWord, MemberState state, int edition, long life) {
    boolean isSaidToHaveLeft = state == MemberState.LEFT && !isOwnWord;
    boolean isHearsay = known.state.isMember() && (state == MemberState.DEAD || isSaidToHaveLeft);
    known.isSaidToHaveLeft |= isHearsay && isSaidToHaveLeft;
    MemberState believed = isHearsay ? MemberState.SUSPECTED : state;
    boolean isNew = believed != known.state || edition != known.edition || life != known.life;
    if (isNew) {
      change(nowNs, known, believed, edition, life);
      news.add(known, doublings());
    }
  }

  /**
   * Lives are compared by the clocks of their hosts, which may be set back: a process that was
   * started again may live a life that seems to be the earlier one. Whoever stands at the address
   * of the one that is held is asked at once which life it lives.
   */
  private void doubt(long nowNs, Entry known) {
    boolean isDue = nowNs - known.doubtNs >= times.answerNs();
    if (isMember && isDue && known.state.isMember() && !doubted.contains(known)) {
      known.doubtNs = nowNs;
      doubted.add(known);
    }
  }

  /**
   * In the last edition nobody can refute anything: there it is the node's own word that counts.
   */
  private static boolean isBelieved(
      Entry known, boolean isOwnWord, MemberState state, int edition, long life) {
    if (life == known.life && edition == known.edition && edition == Integer.MAX_VALUE) {
      return isOwnWord && state != known.state;
    }
    if (known.isOver(life, edition, isOwnWord)) {
      return false;
    }
    return known.isFollowedBy(state, life) || known.isOlderThan(state, edition, life);
  }

  private void takeCard(Entry known, MemorySegment bytes, long at) {
    if (!isCardOf(known, bytes, at)) {
      roster.describe(known, MemberCard.read(bytes, at), encoded(bytes, at));
      viewNumber++;
    }
  }

  /** Whether a card of a frame is the one that is held. */
  private static boolean isCardOf(Entry entry, MemorySegment bytes, long at) {
    return Arrays.equals(entry.encoded(), encoded(bytes, at));
  }

  /** A card of a frame, without its record. */
  private static byte[] encoded(MemorySegment bytes, long at) {
    byte[] encoded = new byte[MemberCard.length(bytes, at) - MemberRecord.BYTES];
    MemorySegment.copy(
        bytes, ValueLayout.JAVA_BYTE, at + MemberRecord.BYTES, encoded, 0, encoded.length);
    return encoded;
  }

  private void add(
      long nowNs, int id, MemberState state, int edition, long life, MemorySegment bytes, long at) {
    if (roster.isFull()) {
      count(BusCount.DROP_FULL);
      return;
    }
    Entry entry = new Entry(id, MemberCard.read(bytes, at), encoded(bytes, at));
    entry.state = state;
    entry.edition = edition;
    entry.life = life;
    entry.deadlineNs = nowNs + suspicionNs();
    roster.add(entry);
    viewNumber++;
    tell(What.JOINED, entry.member());
  }

  /**
   * What others say of this life, if it is newer than what it says itself: that it is suspected,
   * dead or has left; or an edition that it never had, or another card, which somebody made up.
   * Others believe it until they hear of a higher edition, and the card until they hear of it from
   * this node itself.
   */
  private void correct(long nowNs, MemberState state, int edition, boolean isOtherCard) {
    boolean isAccused = state != MemberState.ALIVE && edition == self.edition;
    boolean isOther = isOtherCard && edition == self.edition;
    boolean isMadeUp = edition > self.edition;
    if (isAccused || isOther || isMadeUp) {
      roster.change(self, MemberState.ALIVE, above(edition), self.life);
      tellAll(nowNs, self);
    }
    isMistaken |= isOtherCard || isMadeUp;
  }

  /** The next edition; the last one has none. */
  static int above(int edition) {
    return edition == Integer.MAX_VALUE ? edition : edition + 1;
  }

  /** Gives a node another record, and tells the user what that means. */
  void change(long nowNs, Entry entry, MemberState state, int edition, long life) {
    MemberState before = entry.state;
    long formerLife = entry.life;
    roster.change(entry, state, edition, life);
    viewNumber++;
    entry.isSaidToHaveLeft &= state == MemberState.SUSPECTED && formerLife == life;
    if (state == MemberState.SUSPECTED && (before != state || formerLife != life)) {
      entry.deadlineNs = nowNs + suspicionNs();
      entry.urgeAtNs = NEVER;
    } else if (!state.isMember()) {
      entry.goneNs = nowNs;
    }
    tellUser(entry, before, formerLife);
  }

  private void tellUser(Entry entry, MemberState before, long formerLife) {
    What what = what(entry, before, formerLife);
    if (what != null) {
      tell(what, entry.member());
    }
  }

  private static @Nullable What what(Entry entry, MemberState before, long formerLife) {
    MemberState now = entry.state;
    if (formerLife != entry.life && now.isMember()) {
      return What.RESTARTED;
    } else if (!before.isMember() && now.isMember()) {
      return What.CAME_BACK;
    } else if (before == now) {
      return null;
    }
    return switch (now) {
      case SUSPECTED -> What.SUSPECTED;
      case ALIVE -> What.CLEARED;
      case LEFT -> before.isMember() ? What.LEFT : null;
      case DEAD -> before.isMember() ? What.DIED : null;
    };
  }

  void tell(What what, Member member) {
    events.onMember(new MemberEvent(viewNumber, what, member));
  }
}
