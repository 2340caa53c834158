package io.busbar.fabric.ether;

import io.busbar.fabric.Nic;
import io.busbar.linux.HardwareAddress;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** One destination, with the Ethernet header of its frames, which is computed once. */
final class EtherPeer {
  private static final ValueLayout.OfLong NET_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt NET_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort NET_SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  final int number;
  EtherAddress address;
  private final long own;
  private long headFirst;
  private final int headSecond;

  /**
   * A peer.
   *
   * @param own the hardware address of this end
   */
  EtherPeer(int number, EtherAddress address, long own) {
    this.number = number;
    this.address = address;
    this.own = own;
    this.headSecond = (int) own;
    compute();
  }

  /** The destination that is everyone; its address is of no use. */
  static EtherPeer everyone(long own) {
    return new EtherPeer(Nic.EVERYONE, new EtherAddress(EtherAddress.UNKNOWN, 0), own);
  }

  private void compute() {
    long to = address.isKnown() ? address.hardware() : HardwareAddress.BROADCAST;
    headFirst = to << 16 | own >>> 32;
  }

  /** A frame has told where the peer is. */
  void learn(long hardware) {
    address = new EtherAddress(hardware, address.node());
    compute();
  }

  /** Writes the Ethernet header of a frame to this peer. */
  void writeHead(MemorySegment memory, long at) {
    memory.set(NET_LONG, at, headFirst);
    memory.set(NET_INT, at + 8, headSecond);
    memory.set(NET_SHORT, at + 12, (short) EtherFrame.TYPE);
  }
}
