package io.busbar.fabric;

import io.busbar.memory.Role;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;

/**
 * Writes every frame that leaves or arrives, every refusal and every way that is opened or closed
 * to a {@link NicTrace}. It changes nothing; it allocates.
 */
public final class TracingNic extends ForwardingNic {
  private static final FrameReceiver NOBODY = (peer, memory, offset, length, frame) -> {};

  private final NicTrace trace;
  private final FrameReceiver arrivals = this::onFrame;
  private FrameReceiver receiver = NOBODY;
  private int reservedFor;
  private long reservedAt;

  /** Over any interface. */
  public TracingNic(Nic below, NicTrace trace) {
    super(below);
    this.trace = trace;
  }

  @Override
  public int open(NicAddress peer) {
    int number = below.open(peer);
    trace.event("opened", number, peer.text());
    return number;
  }

  @Override
  public void close(int peer) {
    below.close(peer);
    trace.event("closed", peer, "by us");
  }

  @Override
  public long reserve(int peer, int length) {
    long at = below.reserve(peer, length);
    reservedFor = peer;
    reservedAt = at;
    if (!Nic.isTicket(at)) {
      trace.event(outcome(at), peer, length + " bytes to be written in place");
    }
    return at;
  }

  @Override
  public void commit(int length) {
    String peer = NicTrace.name(reservedFor);
    trace.frame("sent", peer, below.transmitMemory(), reservedAt, length);
    below.commit(length);
  }

  @Override
  public long transmit(int peer, MemorySegment from, long offset, int length) {
    long result = below.transmit(peer, from, offset, length);
    trace.frame(outcome(result), NicTrace.name(peer), from, offset, length);
    return result;
  }

  @Override
  public long transmit(int peer, FrameBuilder frame) {
    long result = below.transmit(peer, frame);
    trace.frame(outcome(result), NicTrace.name(peer), frame);
    return result;
  }

  @Override
  public long transfer(int peer, long handle, Role from, int length) {
    long result = below.transfer(peer, handle, from, length);
    String words = "%d bytes of buffer %x".formatted(length, handle);
    trace.event(result == DONE ? "given" : outcome(result), peer, words);
    return result;
  }

  private static String outcome(long result) {
    if (Nic.isTicket(result)) {
      return "sent";
    }
    if (result == FULL) {
      return "full";
    }
    return result == GONE ? "gone" : "too long";
  }

  @Override
  public int poll(FrameReceiver to, int budget) {
    FrameReceiver outer = receiver;
    receiver = to;
    try {
      return below.poll(arrivals, budget);
    } finally {
      receiver = outer;
    }
  }

  private void onFrame(int peer, MemorySegment memory, long offset, int length, long frame) {
    String name = peer == STRANGER ? "? " + below.source().text() : NicTrace.name(peer);
    trace.frame("arrived", name, memory, offset, length);
    receiver.onFrame(peer, memory, offset, length, frame);
  }

  @Override
  public boolean claim(long frame) {
    boolean kept = below.claim(frame);
    if (!kept) {
      trace.event("no claim", "copy instead");
    }
    return kept;
  }

  @Override
  public void close() {
    trace.event("closed", fabric());
    below.close();
  }
}
