package io.busbar.bench.path;

import io.busbar.fabric.ForwardingNic;
import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Stamps what crosses the border between the node and its interface. */
final class StampingNic extends ForwardingNic {
  private Stamps stamps = new Stamps(0, false);
  private @Nullable FrameReceiver above;
  private final FrameReceiver stamping = this::onFrame;

  StampingNic(Nic below) {
    super(below);
  }

  /** Where it notes from now on. */
  void to(Stamps other) {
    stamps = other;
  }

  @Override
  public long reserve(int peer, int length) {
    stamps.givenIfSent();
    return super.reserve(peer, length);
  }

  @Override
  public long transmit(int peer, MemorySegment from, long offset, int length) {
    stamps.givenIfSent();
    return super.transmit(peer, from, offset, length);
  }

  @Override
  public long transmit(int peer, FrameBuilder frame) {
    stamps.givenIfSent();
    return super.transmit(peer, frame);
  }

  @Override
  public int flush() {
    stamps.rungIfSent();
    return super.flush();
  }

  @Override
  public int poll(FrameReceiver receiver, int budget) {
    above = receiver;
    return super.poll(stamping, budget);
  }

  private void onFrame(int peer, MemorySegment memory, long offset, int length, long frame) {
    stamps.came();
    if (above != null) {
      above.onFrame(peer, memory, offset, length, frame);
    }
  }
}
