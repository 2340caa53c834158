package io.busbar.lab.conformance;

import io.busbar.fabric.ForwardingNic;
import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Header;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.ToIntFunction;

/**
 * Puts frames of any bytes into frames with Busbar's header, for carriers that find their way by
 * it, and takes them out again, without what a wire has padded them with.
 */
public final class EnvelopeNic extends ForwardingNic {
  private static final int LENGTH_AT = 2;
  private static final ValueLayout.OfShort LE_SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final ToIntFunction<NicAddress> nodes;
  private final int own;
  private final FrameReceiver opening = this::open;
  private FrameReceiver receiver = (peer, memory, offset, length, frame) -> {};
  private int reservedPeer;
  private long reservedAt;

  /**
   * Over an interface.
   *
   * @param nodes the node id that an address of its carrier names
   */
  public EnvelopeNic(Nic nic, ToIntFunction<NicAddress> nodes) {
    super(nic);
    this.nodes = nodes;
    this.own = nodes.applyAsInt(nic.address());
  }

  @Override
  public int frameBytesMax(int peer) {
    return super.frameBytesMax(peer) - Header.BYTES;
  }

  @Override
  public long reserve(int peer, int length) {
    if (length < 1) {
      return super.reserve(peer, length);
    }
    long at = super.reserve(peer, length + Header.BYTES);
    reservedPeer = peer;
    reservedAt = at;
    return at < 0 ? at : at + Header.BYTES;
  }

  @Override
  public void commit(int length) {
    if (length > 0) {
      int to = reservedPeer == EVERYONE ? Header.EVERYONE : nodes.applyAsInt(address(reservedPeer));
      Header.write(transmitMemory(), reservedAt, 0, 0, length, to, own, 0, 0, 0, 0, 0);
    }
    super.commit(length > 0 ? length + Header.BYTES : length);
  }

  @Override
  public long transmit(int peer, MemorySegment from, long offset, int length) {
    long at = reserve(peer, length);
    if (at < 0) {
      return at;
    }
    try {
      MemorySegment.copy(from, offset, transmitMemory(), at, length);
    } catch (RuntimeException e) {
      abandon();
      throw e;
    }
    commit(length);
    return DONE;
  }

  @Override
  public long transmit(int peer, FrameBuilder frame) {
    long at = reserve(peer, frame.frameBytes());
    if (at < 0) {
      return at;
    }
    frame.copyTo(transmitMemory(), at);
    commit(frame.frameBytes());
    return DONE;
  }

  @Override
  public int poll(FrameReceiver to, int budget) {
    receiver = to;
    return super.poll(opening, budget);
  }

  private void open(int peer, MemorySegment memory, long offset, int length, long frame) {
    int inside = memory.get(LE_SHORT, offset + LENGTH_AT) & 0xFFFF;
    receiver.onFrame(peer, memory, offset + Header.BYTES, inside, frame);
  }
}
