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
 * @param askingAddress its address there
 * @param answering the host of the other one
 * @param answeringAddress its address there
 * @param frameBytesMax the longest datagram between them
 */
public record Scene(
    String name,
    Host asking,
    String askingAddress,
    Host answering,
    String answeringAddress,
    int frameBytesMax) {
  private static final String LOOPBACK = "127.0.0.1";
  private static final int LOOPBACK_FRAME = 32 << 10;

  /** The longest datagram in an Ethernet frame. */
  public static final int ETHERNET_FRAME = 1472;

  /** Two processes of one host. */
  public static Scene shm(TestBed bed) {
    return shm(bed.host(0));
  }

  /** Two processes of this machine. */
  public static Scene shm() {
    return shm(new ThisHost());
  }

  private static Scene shm(Host host) {
    return new Scene("shm", host, LOOPBACK, host, LOOPBACK, LOOPBACK_FRAME);
  }

  /** Two hosts that are joined by a cable. */
  public static Scene udp(TestBed bed) {
    TestHost one = bed.host(0);
    TestHost other = bed.host(1);
    return new Scene(
        "udp",
        one,
        one.address4().getHostAddress(),
        other,
        other.address4().getHostAddress(),
        ETHERNET_FRAME);
  }

  /** The same place under another name. */
  public Scene named(String other) {
    return new Scene(other, asking, askingAddress, answering, answeringAddress, frameBytesMax);
  }

  /** Whether what is sent crosses a cable. */
  boolean isBetweenHosts() {
    return !asking.name().equals(answering.name());
  }
}
