package io.busbar.bench.contest;

import io.busbar.lab.bed.Host;
import io.busbar.lab.bed.TestBed;
import io.busbar.lab.bed.TestHost;
import io.busbar.lab.bed.ThisHost;

/**
 * Where two processes are.
 *
 * @param name the {@code case} of its figures
 * @param asking the host of the one that asks
 * @param answering the host of the other one
 * @param frameBytesMax the longest datagram between them
 */
public record Scene(String name, Host asking, Host answering, int frameBytesMax) {
  /** The cable of what runs over TCP. */
  static final int TCP = 1;

  /** The cable of the bare AF_XDP socket. */
  static final int BARE_XDP = 2;

  /** The cable of TCP without segmentation offload. */
  static final int UNSEGMENTED = 3;

  private static final String LOOPBACK = "127.0.0.1";
  private static final int LOOPBACK_FRAME = 32 << 10;

  /** The longest datagram in an Ethernet frame. */
  public static final int ETHERNET_FRAME = 1472;

  private static final int IP_UDP_BYTES = 28;

  /** Two processes of one host. */
  public static Scene shm(TestBed bed) {
    return shm(bed.host(0));
  }

  /** Two processes of this machine. */
  public static Scene shm() {
    return shm(new ThisHost());
  }

  private static Scene shm(Host host) {
    return new Scene("shm", host, host, LOOPBACK_FRAME);
  }

  /** Two hosts that are joined by a cable. */
  public static Scene udp(TestBed bed) {
    return new Scene("udp", bed.host(0), bed.host(1), ETHERNET_FRAME);
  }

  /** Two hosts whose cables carry longer frames, and one of them no segments of such. */
  public static Scene jumbo(TestBed bed, String name, int mtu) {
    for (TestHost host : bed.hosts()) {
      host.setMtu(mtu);
      host.run(
          "ip", "link", "set", "dev", host.onCable(UNSEGMENTED).deviceName(), "gso_max_segs", "1");
    }
    return new Scene(name, bed.host(0), bed.host(1), mtu - IP_UDP_BYTES);
  }

  /** The same place under another name. */
  public Scene named(String other) {
    return new Scene(other, asking, answering, frameBytesMax);
  }

  /** The same place on another cable. */
  Scene onCable(int cable) {
    return new Scene(name, asking.onCable(cable), answering.onCable(cable), frameBytesMax);
  }

  /** The address of the end that asks. */
  public String askingAddress() {
    return isBetweenHosts() ? asking.addressText() : LOOPBACK;
  }

  /** The address of the other end. */
  public String answeringAddress() {
    return isBetweenHosts() ? answering.addressText() : LOOPBACK;
  }

  /** Whether what is sent crosses a cable. */
  boolean isBetweenHosts() {
    return !asking.name().equals(answering.name());
  }
}
