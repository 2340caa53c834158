package io.busbar.lab.bed;

import io.busbar.linux.NetworkDevice;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A host of a {@link TestBed}: a network namespace with a loopback and one Ethernet interface, or
 * several on a pair. Programs see its host name; files and processes are the machine's.
 */
public final class TestHost implements Host {
  private static final Duration CALL_LIMIT = Duration.ofSeconds(60);
  private static final Duration RUN_LIMIT = Duration.ofSeconds(30);

  /** More than {@code /proc/net/dev} takes for five interfaces. */
  private static final int COUNTERS_BYTES_MAX = 4096;

  private final String name;
  private final Inet4Address address4;
  private final Inet6Address address6;
  private final Cable cable;
  private final List<Cable> others;
  private final List<Host> twins = new ArrayList<>();
  private final Set<HostProcess> processes = ConcurrentHashMap.newKeySet();
  private final HostThread thread;
  private final RandomAccessFile counters;

  TestHost(BedName bed, int index, Cable cable, List<Cable> others) {
    name = bed.host(index);
    BedNet net = new BedNet(bed);
    address4 = net.address4(index);
    address6 = net.address6(index);
    this.cable = cable;
    this.others = others;
    for (int i = 0; i < others.size(); i++) {
      String address = net.other4(i, index).getHostAddress();
      twins.add(new TwinHost(this, others.get(i).near().device(), address));
    }
    try {
      thread = new HostThread(name, CALL_LIMIT);
      // An open file goes on showing the namespace of the thread that opened it.
      counters = thread.call(() -> new RandomAccessFile("/proc/thread-self/net/dev", "r"));
    } catch (Exception e) {
      throw new TestBedException("cannot start the thread of " + name, e);
    }
  }

  /** The name of the host for the programs in it, and of its namespace. */
  @Override
  public String name() {
    return name;
  }

  /** Its address in the bed's own IPv4 net. */
  public Inet4Address address4() {
    return address4;
  }

  /** Its address in the bed's own IPv6 net. */
  public Inet6Address address6() {
    return address6;
  }

  @Override
  public String deviceName() {
    return cable.near().device();
  }

  @Override
  public String addressText() {
    return address4.getHostAddress();
  }

  @Override
  public Host onCable(int cable) {
    return cable == 0 || twins.isEmpty() ? this : twins.get(cable - 1);
  }

  /** Its Ethernet interface as it is now. */
  public NetworkDevice device() {
    try {
      return call(() -> NetworkDevice.of(deviceName()));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** What its Ethernet interface has counted so far; costs a read, and no process. */
  public LinkCounters counters() {
    return counters(deviceName());
  }

  LinkCounters counters(String device) {
    byte[] bytes = new byte[COUNTERS_BYTES_MAX];
    int length;
    synchronized (counters) {
      try {
        counters.seek(0);
        length = counters.read(bytes);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read the counters of " + name, e);
      }
    }
    return LinkCounters.parse(new String(bytes, 0, length, StandardCharsets.US_ASCII), device);
  }

  @Override
  public long sentBytes() {
    return counters().txBytes();
  }

  /**
   * Runs an action on the host's own thread of this JVM, one at a time and for at most 60 s.
   * Sockets that it opens belong to the host, and every thread may use them afterwards; threads
   * that it starts are in the host, too. {@code java.net.NetworkInterface} shows the machine's IPv6
   * addresses even there, and finds the host's interface by name and by IPv4 address only.
   */
  public <T extends @Nullable Object> T call(Callable<T> action) throws Exception {
    return thread.call(action);
  }

  /** Runs a command in the host to its end, for at most 30 s: what it said. */
  public String run(String... command) {
    return launch(String.join(" ", command), List.of(command)).finish("", RUN_LIMIT);
  }

  /** Starts a command in the host; it is ended when the bed is closed, or this JVM ends. */
  @Override
  public HostProcess start(List<String> command) {
    HostProcess process = launch(String.join(" ", command), command);
    processes.add(process);
    return process;
  }

  /** Starts a program in a JVM of its own: this runtime, these modules, this class path. */
  public HostProcess java(Class<?> main, List<String> arguments) {
    return java(List.of(), main, arguments);
  }

  @Override
  public HostProcess java(List<String> options, Class<?> main, List<String> arguments) {
    List<String> command = ChildJvm.command(options, main, arguments);
    HostProcess process = launch(ChildJvm.words(main, arguments), command);
    processes.add(process);
    return process;
  }

  private HostProcess launch(String what, List<String> command) {
    List<String> all = new ArrayList<>();
    all.addAll(List.of(Tool.SETPRIV.path(), "--pdeathsig", "KILL"));
    all.addAll(List.of(Tool.IP.path(), "netns", "exec", name));
    all.addAll(List.of(Tool.UNSHARE.path(), "--uts"));
    // Each of these replaces the one before, so that the process id stays the same.
    all.addAll(List.of("/bin/sh", "-ec", "echo $0 >/proc/sys/kernel/hostname; exec \"$@\"", name));
    all.addAll(command);
    return HostProcess.start("'%s' in %s".formatted(what, name), all);
  }

  /** Sets the largest packet that its cables carry, at both ends; other hosts keep theirs. */
  public void setMtu(int bytes) {
    Shell.run("set the MTU of " + name, onCables(each -> each.mtu(bytes)));
  }

  /** Switches its first interface off: its routes go, its addresses stay. */
  public void down() {
    Shell.run("switch off " + name, cable.down());
  }

  /** Takes its cable out of the switch; the host does not notice, but for what gets no answer. */
  public void unplug() {
    Shell.run("unplug " + name, cable.unplug());
  }

  /** Puts it back. */
  public void plug() {
    Shell.run("plug " + name, cable.plug());
  }

  /**
   * The switch does not learn from what this host sends, as one that guards its ports: who sends
   * with another's address is not mistaken for it.
   */
  public void distrust() {
    Shell.run("distrust " + name, cable.distrust());
  }

  /** Switches it on, and waits until it carries frames. */
  public void up() {
    Shell.run("switch on " + name, cable.up());
  }

  /** A script for each of its cables. */
  String onCables(Function<Cable, String> script) {
    return script.apply(cable) + others.stream().map(script).collect(Collectors.joining());
  }

  /** Ends its processes and its thread. */
  void close() {
    processes.forEach(HostProcess::kill);
    processes.forEach(HostProcess::close);
    thread.close();
    try {
      counters.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
