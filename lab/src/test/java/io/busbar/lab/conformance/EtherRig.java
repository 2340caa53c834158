package io.busbar.lab.conformance;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.ether.EtherAddress;
import io.busbar.fabric.ether.EtherConfig;
import io.busbar.fabric.ether.EtherConfig.Program;
import io.busbar.fabric.ether.EtherNic;
import io.busbar.lab.bed.TestBed;
import io.busbar.lab.bed.TestHost;
import io.busbar.wire.Header;
import java.util.concurrent.locks.LockSupport;

/** Stations on hosts of their own, joined by a bridge, over raw Ethernet. */
final class EtherRig implements NicRig {
  private static final int STATIONS = 3;
  private static final long MOMENT_NS = 20_000;

  private final TestBed bed = TestBed.create(STATIONS);
  private final Program program;

  EtherRig(Program program, int mtu) {
    this.program = program;
    if (mtu != 1500) {
      bed.hosts().forEach(host -> host.setMtu(mtu));
    }
  }

  @Override
  public int stations() {
    return STATIONS;
  }

  @Override
  public Nic station(int index, NicEvents events) {
    TestHost host = bed.host(index);
    EtherConfig config = EtherConfig.packet(host.deviceName(), index + 1).with(program);
    EtherNic nic = UdpRig.in(host, () -> new EtherNic(config, events));
    return new EnvelopeNic(nic, EtherAddress::nodeOf);
  }

  @Override
  public int envelopeBytes() {
    return Header.BYTES;
  }

  @Override
  public void settle() {
    LockSupport.parkNanos(MOMENT_NS);
  }

  @Override
  public void close() {
    bed.close();
  }
}
