package io.busbar.lab.conformance;

import io.busbar.fabric.ForwardingNic;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.udp.UdpAddress;
import io.busbar.fabric.udp.UdpConfig;
import io.busbar.fabric.udp.UdpNic;
import io.busbar.lab.bed.TestBed;
import io.busbar.lab.bed.TestHost;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Stations on hosts of their own, joined by a bridge: what they exchange crosses cables. */
final class UdpRig implements NicRig {
  /** What frames to everyone are. */
  enum Everyone {
    GROUP_4,
    BROADCAST_4,
    GROUP_6
  }

  private static final int STATIONS = 3;
  private static final int SHARED_PORT = 7_009;
  private static final long MOMENT_NS = 20_000;

  private final TestBed bed = TestBed.create(STATIONS);
  private final Everyone everyone;

  UdpRig(Everyone everyone) {
    this.everyone = everyone;
  }

  @Override
  public int stations() {
    return STATIONS;
  }

  @Override
  public Nic station(int index, NicEvents events) {
    TestHost host = bed.host(index);
    UdpConfig config = config(host);
    return new HostedNic(host, in(host, () -> new UdpNic(config, events)));
  }

  private UdpConfig config(TestHost host) {
    String own =
        everyone == Everyone.GROUP_6
            ? "[" + host.address6().getHostAddress().replaceAll("%.*", "") + "]"
            : host.address4().getHostAddress();
    String all =
        switch (everyone) {
          case GROUP_4 -> "239.7.7.7";
          case BROADCAST_4 -> own.substring(0, own.lastIndexOf('.')) + ".255";
          case GROUP_6 -> "[ff12::7:7]";
        };
    return UdpConfig.builder()
        .bind(UdpAddress.parse(own + ":0"))
        .device(host.deviceName())
        .everyone(UdpAddress.parse(all + ":" + SHARED_PORT))
        .build();
  }

  /** A thread of the host does it: sockets belong to the namespace that they are opened in. */
  static <T> T in(TestHost host, Callable<T> action) {
    try {
      return host.call(action);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void settle() {
    LockSupport.parkNanos(MOMENT_NS);
  }

  @Override
  public void close() {
    bed.close();
  }

  /** An interface whose sockets are all opened in its host. */
  private static final class HostedNic extends ForwardingNic {
    private final TestHost host;

    HostedNic(TestHost host, Nic nic) {
      super(nic);
      this.host = host;
    }

    @Override
    public int open(NicAddress peer) {
      return in(host, () -> super.open(peer));
    }
  }
}
