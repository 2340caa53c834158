package io.busbar.lab.bed;

import io.busbar.linux.Capabilities;
import io.busbar.linux.Capability;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Hosts on a network of their own, made for a test or a benchmark and removed with it. Needs root.
 *
 * <p>What goes wrong belongs to a host's cable (each of them, on a {@link #pair}), in both
 * directions: its rate, its losses, its MTU.
 *
 * <p>On a bed with a switch, losses meet every frame. On a {@link #pair}, frames that AF_XDP sends
 * or receives pass by; and whatever the bed, what AF_XDP sends passes by the rate of its own host.
 */
public final class TestBed implements AutoCloseable {
  private static final Set<TestBed> OPEN = ConcurrentHashMap.newKeySet();

  static {
    Thread removal = Thread.ofPlatform().name("bed-removal").unstarted(TestBed::closeAll);
    Runtime.getRuntime().addShutdownHook(removal);
  }

  private static final long RATE_MIN = 8_000;

  /**
   * Counters are exact as soon as a frame was delivered; until then it is in the kernel's hands.
   */
  private static final long COUNTERS_LIMIT_NS = 500_000_000;

  private static final long COUNTERS_LOOK_NS = 100_000;

  private final BedName name;
  private final Wiring wiring;
  private final List<TestHost> hosts = new ArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  private TestBed(BedName name, Wiring wiring) {
    this.name = name;
    this.wiring = wiring;
  }

  /** Hosts that are joined by a switch. */
  public static TestBed create(int hosts) {
    if (hosts < 1 || hosts > BedNet.HOSTS_MAX) {
      throw new IllegalArgumentException(
          "a bed has 1 to %d hosts, and not %d".formatted(BedNet.HOSTS_MAX, hosts));
    }
    BedName name = BedName.next();
    return open(name, Wiring.star(name, hosts));
  }

  /**
   * Two hosts that are joined by a veth pair, without a switch: the shortest way, to measure. Three
   * more join them for what is measured beside; see {@link Host#onCable}.
   */
  public static TestBed pair() {
    BedName name = BedName.next();
    return open(name, Wiring.pair(name));
  }

  private static TestBed open(BedName name, Wiring wiring) {
    requireRights(Capabilities.effective());
    Tool.IP.path();
    Namespaces.sweep();
    TestBed bed = new TestBed(name, wiring);
    OPEN.add(bed);
    try {
      bed.make();
      return bed;
    } catch (RuntimeException | Error e) {
      try {
        bed.close();
      } catch (RuntimeException cleaning) {
        e.addSuppressed(cleaning);
      }
      throw e;
    }
  }

  /** Why this process may not make a bed; empty when it may. */
  public static String obstacle() {
    return obstacle(Capabilities.effective());
  }

  static String obstacle(Capabilities rights) {
    return rights.has(Capability.CAP_SYS_ADMIN) && rights.has(Capability.CAP_NET_ADMIN)
        ? ""
        : "a test bed makes network namespaces, which needs CAP_SYS_ADMIN and CAP_NET_ADMIN: run"
            + " this as root";
  }

  static void requireRights(Capabilities rights) {
    String obstacle = obstacle(rights);
    if (!obstacle.isEmpty()) {
      throw new TestBedException(obstacle);
    }
  }

  private void make() {
    Shell.run("make the test bed " + name, wiring.script());
    String table = hostTable();
    for (int i = 0; i < wiring.cables().size(); i++) {
      Namespaces.writeHosts(name.host(i), table);
      hosts.add(new TestHost(name, i, wiring.cables().get(i), wiring.others(i)));
    }
  }

  /** Each host under its own name and, for short, h0 and so on. */
  private String hostTable() {
    StringBuilder table = new StringBuilder("127.0.0.1 localhost\n::1 localhost\n");
    BedNet net = new BedNet(name);
    for (int i = 0; i < wiring.cables().size(); i++) {
      String names = " %s h%d\n".formatted(name.host(i), i);
      table.append(net.address4(i).getHostAddress()).append(names);
      table.append(net.address6(i).getHostAddress()).append(names);
    }
    return table.toString();
  }

  /** A host. */
  public TestHost host(int index) {
    return hosts.get(index);
  }

  /** All of them. */
  public List<TestHost> hosts() {
    return List.copyOf(hosts);
  }

  /**
   * Bounds what a host's cable carries, in each direction; what does not fit waits for 50 ms at
   * most. Set a larger MTU before.
   */
  public void rate(TestHost host, long bitsPerSecond) {
    if (bitsPerSecond < RATE_MIN) {
      throw new IllegalArgumentException(
          "a rate is at least %d bit/s, and not %d".formatted(RATE_MIN, bitsPerSecond));
    }
    Tool.TC.path();
    int mtu = host.device().mtu();
    Shell.run("limit the rate of " + host, host.onCables(cable -> cable.rate(bitsPerSecond, mtu)));
  }

  /** Loses frames at random on a host's cable, in each direction. */
  public void loss(TestHost host, double probability) {
    loss(host, probability, probability);
  }

  /**
   * Loses frames at random on a host's cable.
   *
   * @param sent the probability for a frame from the host, 0 to 1
   * @param received the probability for a frame to the host, 0 to 1
   */
  public void loss(TestHost host, double sent, double received) {
    if (!(sent >= 0 && sent <= 1 && received >= 0 && received <= 1)) {
      throw new IllegalArgumentException(
          "a probability is 0 to 1, and not %s or %s".formatted(sent, received));
    }
    Tool.NFT.path();
    Shell.run("lose frames of " + host, host.onCables(cable -> cable.loss(sent, received)));
  }

  /** What a host sends to groups reaches nobody, as behind routers and in clouds. */
  public void loseGroups(TestHost host) {
    Tool.NFT.path();
    Shell.run("lose what %s says to groups".formatted(host), host.onCables(Cable::noGroups));
  }

  /** A host's cable is as new: on, without losses, without a rate; its MTU stays. */
  public void heal(TestHost host) {
    Tool.TC.path();
    Tool.NFT.path();
    Shell.run("heal " + host, host.onCables(cable -> cable.noLoss() + cable.noRate()));
    host.up();
  }

  /**
   * Runs an action and checks that it went over the wire: a way around it, such as shared memory,
   * is an {@link AssertionError}.
   *
   * @param bytesMin what at least left the one host and reached the other
   */
  public <T extends @Nullable Object> T crossed(
      TestHost from, TestHost to, long bytesMin, Callable<T> action) throws Exception {
    LinkCounters fromBefore = from.counters();
    LinkCounters toBefore = to.counters();
    T value = action.call();
    long deadlineNs = System.nanoTime() + COUNTERS_LIMIT_NS;
    while (true) {
      long left = from.counters().minus(fromBefore).txBytes();
      long arrived = to.counters().minus(toBefore).rxBytes();
      if (left >= bytesMin && arrived >= bytesMin) {
        return value;
      }
      if (System.nanoTime() - deadlineNs > 0) {
        throw new AssertionError(
            "at least %d bytes had to cross the wire from %s to %s; %d left, %d arrived"
                .formatted(bytesMin, from, to, left, arrived));
      }
      LockSupport.parkNanos(COUNTERS_LOOK_NS);
    }
  }

  /**
   * Ends all that runs in the hosts, and removes them; done even by a thread that is interrupted.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    boolean interrupted = Thread.interrupted();
    try {
      hosts.forEach(TestHost::close);
    } finally {
      Namespaces.remove(wiring.namespaces());
      OPEN.remove(this);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void closeAll() {
    OPEN.forEach(TestBed::close);
  }

  @Override
  public String toString() {
    return hosts.stream().map(TestHost::name).collect(Collectors.joining(", ", name + ": ", ""));
  }
}
