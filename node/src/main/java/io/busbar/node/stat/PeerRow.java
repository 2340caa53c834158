package io.busbar.node.stat;

import io.busbar.wire.Blocked;
import io.busbar.wire.StatLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * What a node shows about one peer. A setter is one store of a word, which a reader sees whole;
 * what is set between {@link #begin} and {@link #end} it sees together. Nothing here allocates but
 * the setters of texts. One thread at a time.
 */
public final class PeerRow {
  private MemorySegment memory;
  private long at;
  private int peer;
  private long sequence;
  private boolean gone;
  private Blocked blocked = Blocked.NOT;

  /** A row at a place of the file, or in memory that nobody sees. */
  PeerRow(MemorySegment memory, long at) {
    this.memory = memory;
    this.at = at;
    this.sequence = StatWords.get(memory, at + StatLayout.PEER_SEQUENCE_AT);
  }

  int peer() {
    return peer;
  }

  boolean isGone() {
    return gone;
  }

  /** Shows a peer from its beginning. */
  void show(int newPeer) {
    peer = newPeer;
    gone = false;
    blocked = Blocked.NOT;
    boolean mine = beginUnlessBegun();
    for (int i = Long.BYTES; i < StatLayout.PEER_BYTES; i += Long.BYTES) {
      set(i, 0);
    }
    set(StatLayout.PEER_NODE_AT, newPeer);
    set(StatLayout.PEER_STATE_AT, StatLayout.OPEN);
    endIf(mine);
  }

  /** Leaves its place to another row; what is set from now on, nobody sees. */
  void moveTo(MemorySegment hidden) {
    endIf((sequence & 1) != 0);
    memory = hidden;
    at = 0;
  }

  private void set(int field, long value) {
    StatWords.set(memory, at + field, value);
  }

  private void add(int field, long delta) {
    StatWords.set(memory, at + field, StatWords.get(memory, at + field) + delta);
  }

  private boolean beginUnlessBegun() {
    boolean mine = (sequence & 1) == 0;
    if (mine) {
      begin();
    }
    return mine;
  }

  private void endIf(boolean mine) {
    if (mine) {
      end();
    }
  }

  /** From here to {@link #end} no reader takes the row; it waits a moment for the end. */
  public void begin() {
    if ((sequence & 1) != 0) {
      throw new IllegalStateException("the row of peer %d was begun already".formatted(peer));
    }
    StatWords.set(memory, at + StatLayout.PEER_SEQUENCE_AT, ++sequence);
    VarHandle.storeStoreFence();
  }

  /** Shows what was set since {@link #begin}. */
  public void end() {
    if ((sequence & 1) == 0) {
      throw new IllegalStateException("the row of peer %d was not begun".formatted(peer));
    }
    StatWords.release(memory, at + StatLayout.PEER_SEQUENCE_AT, ++sequence);
  }

  /** The peer has left, or died. Its figures stay until its row is needed for another peer. */
  public void gone() {
    gone = true;
    blocked = Blocked.NOT;
    boolean mine = beginUnlessBegun();
    set(StatLayout.PEER_STATE_AT, StatLayout.GONE);
    set(StatLayout.PEER_BLOCKED_AT, Blocked.NOT.number());
    set(StatLayout.PEER_SINCE_NS_AT, 0);
    endIf(mine);
  }

  /** What carries the frames, up to 8 bytes. */
  public void fabric(String name) {
    boolean mine = beginUnlessBegun();
    StatTexts.write(memory, at + StatLayout.PEER_FABRIC_AT, StatLayout.FABRIC_BYTES, name);
    endIf(mine);
  }

  /** Where the peer is reached, up to 64 bytes. */
  public void address(String text) {
    boolean mine = beginUnlessBegun();
    StatTexts.write(memory, at + StatLayout.PEER_ADDRESS_AT, StatLayout.ADDRESS_BYTES, text);
    endIf(mine);
  }

  /**
   * Why nothing leaves now. The time counts when the reason is another one than before; the same
   * reason again costs a comparison.
   *
   * @param nowNs by the clock that {@link StatFile#tick} is told
   */
  public void blocked(Blocked why, long nowNs) {
    if (why != blocked) {
      blocked = why;
      boolean mine = beginUnlessBegun();
      set(StatLayout.PEER_BLOCKED_AT, why.number());
      set(StatLayout.PEER_SINCE_NS_AT, nowNs);
      endIf(mine);
    }
  }

  /** One more message from the peer. */
  public void received(long bytes) {
    add(StatLayout.PEER_BYTES_IN_AT, bytes);
    add(StatLayout.PEER_MESSAGES_IN_AT, 1);
  }

  /** One more message to the peer. */
  public void sent(long bytes) {
    add(StatLayout.PEER_BYTES_OUT_AT, bytes);
    add(StatLayout.PEER_MESSAGES_OUT_AT, 1);
  }

  /** Bytes from the peer, all together. */
  public void bytesIn(long bytes) {
    set(StatLayout.PEER_BYTES_IN_AT, bytes);
  }

  /** Bytes to the peer, all together. */
  public void bytesOut(long bytes) {
    set(StatLayout.PEER_BYTES_OUT_AT, bytes);
  }

  /** Messages from the peer, all together. */
  public void messagesIn(long messages) {
    set(StatLayout.PEER_MESSAGES_IN_AT, messages);
  }

  /** Messages to the peer, all together. */
  public void messagesOut(long messages) {
    set(StatLayout.PEER_MESSAGES_OUT_AT, messages);
  }

  /** Frames that were sent again, all together. */
  public void repairs(long frames) {
    set(StatLayout.PEER_REPAIRS_AT, frames);
  }

  /** How often it was blocked, all together. */
  public void stalls(long stalls) {
    set(StatLayout.PEER_STALLS_AT, stalls);
  }

  /** The round trip, smoothed; 0 when it is not known. */
  public void roundTripNs(long ns) {
    set(StatLayout.PEER_ROUND_TRIP_NS_AT, ns);
  }

  /** Bytes that wait to be sent. */
  public void waitingBytes(long bytes) {
    set(StatLayout.PEER_WAITING_BYTES_AT, bytes);
  }
}
