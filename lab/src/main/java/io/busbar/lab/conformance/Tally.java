package io.busbar.lab.conformance;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/** Numbered frames from one station to another: which were taken, and which have come. */
final class Tally {
  final Station from;
  final Station to;
  private final Trial trial;
  private final boolean reliable;
  private final BitSet seen = new BitSet();
  private long sent;
  private long received;

  Tally(Trial trial, Station from, Station to) {
    this.trial = trial;
    this.from = from;
    this.to = to;
    reliable = trial.isReliable();
  }

  long sent() {
    return sent;
  }

  long received() {
    return received;
  }

  /** Tries to send the next frame; its result. A refused one is the next one again. */
  long trySend(int length) {
    MemorySegment bytes = from.scratch(length);
    Probe.fill(bytes, 0, length, from.index, sent);
    long result = from.nic.transmit(from.peer(to), bytes, 0, length);
    sent += result >= 0 ? 1 : 0;
    return result;
  }

  /** Whether a frame says that it is of this tally. */
  boolean isOf(MemorySegment memory, long at, int length) {
    return length >= Probe.NUMBERED_BYTES && Probe.sender(memory, at) == from.index;
  }

  /** A frame of this tally has come. */
  void onFrame(int peer, MemorySegment memory, long at, int length) {
    long number = Probe.number(memory, at);
    trial.require(
        number >= 0 && number < sent && Probe.matches(memory, at, length, from.index, number),
        "frame %d from station %d came with other bytes, or was never sent",
        number,
        from.index);
    trial.require(
        peer == to.peer(from),
        "frame %d from station %d came as from peer %d",
        number,
        from.index,
        peer);
    trial.require(
        !seen.get((int) number), "frame %d from station %d came twice", number, from.index);
    trial.require(
        !reliable || number == received,
        "frame %d from station %d came where frame %d was due",
        number,
        from.index,
        received);
    seen.set((int) number);
    received++;
  }
}
