package io.busbar.node;

import io.busbar.wire.Blocked;
import io.busbar.wire.Bodies;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The way to another node: records arrive there once, in order, as fast as the receiver takes them.
 * Over shared memory they go straight through its ring; over datagrams an association of the
 * transport carries them. Who uses a lane cannot tell. The driver's role is needed for every
 * method.
 */
public abstract sealed class Lane permits RingLane, QmpLane, CastLane, HeardLane {
  /** A record was not taken: there is no credit or no room; {@link LaneUser#onSendable} follows. */
  public static final int REFUSED = 0;

  /** A record was taken, and its memory is free again. */
  public static final int DONE = 1;

  /** A record was taken; its memory must stay until {@link LaneUser#onReleased}. */
  public static final int TAKEN = 2;

  /** The longest record of a lane; longer messages have a body of their own. */
  public static final int RECORD_BYTES_MAX = 64 << 10;

  /** Channels for the bodies of long messages, numbered from 1. */
  public static final int CHANNELS = 16;

  /** No body: no channel is free for it; {@link LaneUser#onSendable} follows. */
  public static final long NO_BODY = Channels.NONE;

  /** Nothing is sent by a lane that only brings the broadcasts of a node. */
  public static final int NOWHERE = -1;

  /** No claim: copy instead. */
  public static final long NO_CLAIM = -1;

  /** The lane's own flow of records; those of the channels have their numbers. */
  static final int RECORDS = 0;

  /** Bodies that have no channel yet: they are held back as a flow is. */
  private static final int UNSTARTED = 1 + CHANNELS;

  private static final ValueLayout.OfLong START_BODY = ValueLayout.JAVA_LONG_UNALIGNED;

  private final Engine engine;
  private final int peer;
  private final Channels channels = new Channels(CHANNELS);
  private boolean channelWanted;
  private boolean ended;
  private String whyEnded = "";
  private int tag;

  /** A bit for each flow of which something was refused, and no room has come since. */
  private int heldBack;

  /** By flow: why, when it is held back. */
  private final Blocked[] whys = new Blocked[2 + CHANNELS];

  private long messagesIn;
  private long messagesOut;
  private long bytesIn;
  private long bytesOut;
  private long stalls;

  Lane(Engine engine, int peer) {
    this.engine = engine;
    this.peer = peer;
    Arrays.fill(whys, Blocked.NOT);
  }

  final Engine engine() {
    return engine;
  }

  /** The node at the other end. */
  public final int peer() {
    return peer;
  }

  /** What messages are sent to that leave by it: a node, everyone, a group, or nobody. */
  public int destination() {
    return peer;
  }

  /** Bytes that were copied and may not have arrived; 0 where the carrier keeps them. */
  public long unsettledBytes() {
    return 0;
  }

  /** A channel whose receivers need not say that they are done with it. */
  final void freeChannel(int channel) {
    channels.onDone(channel);
  }

  /** The user's own number for it, which it gave with {@link #tag(int)}. */
  public final int tag() {
    return tag;
  }

  /** Gives it a number of the user's own. */
  public final void tag(int number) {
    tag = number;
  }

  /** Whether the other node is dead, or lives another life: nothing is taken any more. */
  public final boolean isEnded() {
    return ended;
  }

  final void end(String why) {
    ended = true;
    whyEnded = why;
  }

  /** Why nothing is taken any more; empty while it is. */
  public final String whyEnded() {
    return whyEnded;
  }

  /** Whether a record is a message; the others are not for the user. */
  static boolean isMessage(long header) {
    int kind = Records.kind(header);
    boolean start = kind == Records.START && Records.length(header) == Bodies.START_BYTES;
    return kind == Records.WHOLE || kind == Records.WORDS || start;
  }

  /** Whether the body that a START names has a channel. */
  static boolean isSoundStart(MemorySegment memory, long at) {
    int channel = Bodies.channel(memory.get(START_BODY, at + Bodies.START_BODY_AT));
    return channel >= 1 && channel <= CHANNELS;
  }

  /** Something of a flow left: what held it back does so no longer. */
  final void sent(int flow, int bytes) {
    heldBack &= ~(1 << flow);
    messagesOut++;
    bytesOut += bytes;
  }

  final void received(int bytes) {
    messagesIn++;
    bytesIn += bytes;
  }

  final void refused(int flow, Blocked why) {
    stalls += (heldBack & 1 << flow) == 0 ? 1 : 0;
    heldBack |= 1 << flow;
    whys[flow] = why;
  }

  /** Room of a kind has come for a flow: if it was that what held it back, nothing does now. */
  final void eased(int flow, Blocked why) {
    if ((heldBack & 1 << flow) != 0 && whys[flow] == why) {
      heldBack &= ~(1 << flow);
    }
  }

  /**
   * What the user has given of a body, or of records if it is {@link #NO_BODY}, and has not got
   * back fills the memory that it has for that: it waits for {@link LaneUser#onReleased}.
   */
  public final void filled(long body) {
    refused(body == NO_BODY ? RECORDS : Bodies.channel(body), Blocked.QUEUE_FULL);
  }

  /**
   * What holds back what the user wants to send, since it was refused and until it is sent or there
   * is room for it; of several flows the first one's.
   */
  public final Blocked blocked() {
    if (heldBack == 0) {
      return Blocked.NOT;
    }
    int flow = Integer.numberOfTrailingZeros(heldBack);
    return heldBackBy(flow, whys[flow]);
  }

  /** What is behind a refusal. */
  Blocked heldBackBy(int flow, Blocked refusal) {
    return refusal;
  }

  /** Where the other end is reached now; empty where there is no one place. */
  String address() {
    return "";
  }

  /** Records that came. */
  public final long messagesIn() {
    return messagesIn;
  }

  /** Records that were taken to be sent. */
  public final long messagesOut() {
    return messagesOut;
  }

  /** Bytes of records that came. */
  public final long bytesIn() {
    return bytesIn;
  }

  /** Bytes of records that were taken to be sent. */
  public final long bytesOut() {
    return bytesOut;
  }

  /** How often something began to hold it back. */
  public final long stalls() {
    return stalls;
  }

  /** Bytes that the peer has not dealt with, or not acknowledged. */
  abstract long onTheWayBytes();

  /** Whether what is taken was copied: then its memory is free at once. */
  public abstract boolean copies();

  /** What carries it. */
  public abstract String fabric();

  /**
   * Gives a record to send.
   *
   * @param header as {@code Records.header} composes it
   * @param token comes back with the memory, if the answer is {@link #TAKEN}
   * @return {@link #REFUSED}, {@link #DONE} or {@link #TAKEN}
   */
  public abstract int trySend(long header, MemorySegment from, long at, long token);

  /** Whether a record can be written straight to where it leaves from. */
  public boolean writesInPlace() {
    return false;
  }

  /**
   * Gives a record to send, which is written to where it leaves from; where that can be.
   *
   * @return {@link #REFUSED} or {@link #DONE}
   */
  public int tryWrite(long header, Content content) {
    throw new UnsupportedOperationException(fabric() + " has no place to write to");
  }

  /** Whether buffers of {@link Place#buffers} change owners here, instead of being copied. */
  public boolean passesBuffers() {
    return false;
  }

  /**
   * Gives a buffer away, whose first bytes are a record.
   *
   * @return {@link #REFUSED}: it is still the caller's; {@link #DONE}: it is not
   */
  public int tryPass(long header, long buffer) {
    throw new UnsupportedOperationException(fabric() + " has no buffers to pass");
  }

  /** Gives a buffer away, whose first bytes are a piece of a body; as {@link #tryPass}. */
  public final int tryPassBody(long body, long buffer, int length) {
    return tryPass(Records.header(Records.BODY, 0, Bodies.channel(body), length), buffer);
  }

  /** Whether the receiver wants no more of a body that is being sent. */
  public final boolean isUnwanted(long body) {
    return channels.isUnwanted(body);
  }

  /**
   * The user is done with a record of this {@link io.busbar.wire.Records#charge charge} that came:
   * the peer may send as much more.
   */
  public abstract void done(int length);

  // Bodies of long messages.

  /**
   * Takes a channel for a body, if so many are left for others; its name for START, or {@link
   * #NO_BODY}.
   */
  public final long takeBody(int others) {
    long body = channels.take(others);
    if (body == NO_BODY) {
      channelWanted = true;
      refused(UNSTARTED, Blocked.NO_CHANNEL);
    } else {
      eased(UNSTARTED, Blocked.NO_CHANNEL);
    }
    return body;
  }

  /** Channels that carry a body, or whose body the peer is not done with. */
  public final int channelsInUse() {
    return channels.inUse();
  }

  /** Gives a body's channel back of which nothing was sent, nor its START. */
  public final void giveBack(long body) {
    channels.giveBack(body);
    if (channelWanted) {
      sendableSoon();
    }
  }

  /** What was refused for a reason of the user's own may go now: {@link LaneUser#onSendable}. */
  public final void sendableSoon() {
    engine.sendableSoon(this); // who sends now is not to be called by this
  }

  /** The longest piece of a body. */
  public abstract int pieceBytesMax();

  /**
   * Gives the next piece of a body to send. What the receiver does not want any more is taken and
   * forgotten; the last piece must be sent all the same.
   *
   * @param flags {@link Bodies#LAST}, {@link Bodies#BROKEN}
   * @return {@link #REFUSED}, {@link #DONE} or {@link #TAKEN}
   */
  public final int trySendBody(
      long body, int flags, MemorySegment from, long at, int length, long token) {
    int bytes = length;
    if (channels.isUnwanted(body)) {
      if ((flags & Bodies.LAST) == 0) {
        return DONE;
      }
      bytes = 0;
    }
    int result = sendPiece(Bodies.channel(body), flags, from, at, bytes, token);
    if (result != REFUSED && (flags & Bodies.LAST) != 0) {
      boolean free = channels.onLastSent(Bodies.channel(body));
      if (free && channelWanted) {
        sendableSoon();
      }
    }
    return result;
  }

  abstract int sendPiece(
      int channel, int flags, MemorySegment from, long at, int length, long token);

  /** The user is done with so many bytes of a body that came; more of it may be sent. */
  public abstract void bodyDone(long body, long bytes);

  /** The user wants no more of a body; bytes that still come are to be {@link #bodyDone}, too. */
  public abstract void endBody(long body);

  /** The peer says that it is done with a body; false when there is no such. */
  final boolean onBodyDone(long body) {
    boolean known = channels.onDone(body);
    if (known && channelWanted) {
      onSendable();
    }
    return known;
  }

  /** There is room for what was refused. */
  final void onSendable() {
    channelWanted = false;
    eased(UNSTARTED, Blocked.NO_CHANNEL);
    eased(RECORDS, Blocked.WINDOW_FULL);
    engine.happened();
    engine.user().onSendable(this);
  }

  // Keeping what came.

  /**
   * During {@link LaneUser#onRecord} and {@link LaneUser#onBody}: keeps the memory that is shown
   * until {@link #release}; {@link #NO_CLAIM} when it cannot be kept.
   */
  public abstract long claim();

  /** Gives a claim back. */
  public abstract void release(long claim);

  /** What could not be done for want of room is tried again. */
  abstract void retry();
}
