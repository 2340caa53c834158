package io.busbar.fabric.ether;

import io.busbar.fabric.Nic;
import io.busbar.linux.HardwareAddress;
import java.lang.foreign.MemorySegment;

/** One destination, with the Ethernet header of its frames, which is computed once. */
final class EtherPeer {
  final int number;
  EtherAddress address;
  private final long own;
  private long head;

  /**
   * A peer.
   *
   * @param own the hardware address of this end
   */
  EtherPeer(int number, EtherAddress address, long own) {
    this.number = number;
    this.address = address;
    this.own = own;
    compute();
  }

  /** The destination that is everyone; its address is of no use. */
  static EtherPeer everyone(long own) {
    return new EtherPeer(Nic.EVERYONE, new EtherAddress(EtherAddress.UNKNOWN, 0), own);
  }

  private void compute() {
    long to = address.isKnown() ? address.hardware() : HardwareAddress.BROADCAST;
    head = EtherFrame.headOf(to, own);
  }

  /** A frame has told where the peer is. */
  void learn(long hardware) {
    address = new EtherAddress(hardware, address.node());
    compute();
  }

  /** Writes the Ethernet header of a frame to this peer. */
  void writeHead(MemorySegment memory, long at) {
    EtherFrame.writeHead(memory, at, head, own);
  }
}
