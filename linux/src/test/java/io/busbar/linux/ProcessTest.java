package io.busbar.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessTest {
  @Test
  void ids() {
    assertThat(ThisProcess.pid()).isEqualTo((int) ProcessHandle.current().pid());
    assertThat(Path.of("/proc/self/task/" + ThisProcess.threadId())).isDirectory();
    assertThat(ThisProcess.pageBytes()).isIn(4096, 16384, 65536);
  }

  /** Two threads share a processor; each goes on when the other one offers it. */
  @Test
  void processorThatIsOfferedIsTaken() throws Exception {
    int first = Affinity.get().nextSetBit(0);
    AtomicInteger turn = new AtomicInteger();
    long startNs = System.nanoTime();
    List<FutureTask<Integer>> both = new ArrayList<>();
    for (int number = 0; number < 2; number++) {
      int mine = number;
      FutureTask<Integer> task = new FutureTask<>(() -> takeTurns(first, turn, mine));
      both.add(task);
      Thread.ofPlatform().start(task);
    }
    for (FutureTask<Integer> task : both) {
      assertThat(task.get()).isEqualTo(TURNS);
    }
    // Who does not offer it keeps it for a slice of some milliseconds.
    assertThat(System.nanoTime() - startNs).isLessThan(2L * TURNS * 1_000_000);
  }

  private static final int TURNS = 1_000;

  private static int takeTurns(int processor, AtomicInteger turn, int mine) {
    BitSet only = new BitSet();
    only.set(processor);
    Affinity.set(only);
    int turns = 0;
    while (turns < TURNS) {
      if (turn.get() % 2 == mine) {
        int _ = turn.incrementAndGet();
        turns++;
      } else {
        ThisProcess.offerProcessor();
      }
    }
    return turns;
  }

  @Test
  void ownMemoryIsRead() {
    Mapping mapping = Mapping.anonymous(3L * ThisProcess.pageBytes());
    long unmapped = mapping.address();
    mapping.close();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = Patterns.of(arena, 5000, 4);
      MemorySegment into = arena.allocate(5000);
      ProcessMemory self = new ProcessMemory(ThisProcess.pid());
      assertThat(self.read(from.address(), into, 0, 5000)).isEqualTo(5000);
      assertThat(into.mismatch(from)).isEqualTo(-1);
      assertThat(self.read(unmapped, into, 0, 8)).isEqualTo(-Errno.EFAULT);
      assertThat(self.failure(-Errno.EPERM))
          .hasMessageStartingWith(
              "cannot read the memory of process %d: process_vm_readv: EPERM; ", ThisProcess.pid());
    }
  }

  @Test
  void memoryOfTheDeadIsNotRead() throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment into = arena.allocate(8);
      Process process = new ProcessBuilder("true").start();
      process.waitFor();
      ProcessMemory dead = new ProcessMemory((int) process.pid());
      assertThat(dead.read(into.address(), into, 0, 8)).isEqualTo(-Errno.ESRCH);
    }
  }

  @Test
  void barriers() {
    Needs.that(Membarrier.isSupported(), "a kernel with membarrier");
    Membarrier.registerGlobal();
    Membarrier.global();
    Membarrier.registerPrivate();
    Membarrier.ofThisProcess();
  }

  @Test
  void affinityIsOfAThread() throws Exception {
    BitSet all = Affinity.get();
    assertThat(all.cardinality())
        .isGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
    BitSet first = new BitSet();
    first.set(all.nextSetBit(0));
    FutureTask<BitSet> pinned =
        new FutureTask<>(
            () -> {
              Affinity.set(first);
              return Affinity.get();
            });
    Thread.ofPlatform().start(pinned);
    assertThat(pinned.get()).isEqualTo(first);
    assertThat(Affinity.get()).isEqualTo(all);
    BitSet missing = new BitSet();
    missing.set(1023);
    assertThatThrownBy(() -> Affinity.set(missing))
        .hasMessageStartingWith(
            "cannot run on the processors {1023}: sched_setaffinity: EINVAL; none of these");
    missing.set(1024);
    assertThatThrownBy(() -> Affinity.set(missing)).hasMessageContaining("below 1024");
  }

  @Test
  void rightsAreThoseOfProc() throws IOException {
    String line =
        Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
            .filter(status -> status.startsWith("CapEff:"))
            .findFirst()
            .orElseThrow();
    long bits = Long.parseUnsignedLong(line.substring("CapEff:".length()).strip(), 16);
    assertThat(Capabilities.effective().bits()).isEqualTo(bits);
  }

  @Test
  void rootMayOpenPacketSockets() {
    Needs.capability(Capability.CAP_NET_RAW);
    try (NativeSocket socket = NativeSocket.packet()) {
      assertThat(socket.descriptor().isOpen()).isTrue();
    }
    for (Capability capability : Capability.values()) {
      long bit = 1L << capability.number;
      assertThat(new Capabilities(bit).has(capability)).isTrue();
      assertThat(new Capabilities(~bit).has(capability)).isFalse();
    }
  }

  @Test
  void withoutTheRightThePacketSocketIsRefused() throws Exception {
    List<String> without = List.of("setpriv", "--bounding-set=-net_raw", "--inh-caps=-net_raw");
    List<String> trial = new ArrayList<>(without);
    trial.add("true");
    Needs.command(trial.toArray(String[]::new));
    try (Child child = new Child(without, "raw")) {
      assertThat(child.line()).isEqualTo("false");
      assertThat(child.line())
          .isEqualTo(
              "cannot open a packet socket: socket: EPERM; a raw or packet socket needs CAP_NET_RAW:"
                  + " run as root, or use UDP");
    }
  }

  @Test
  void limits() {
    Limit files = Limit.of(Limit.Resource.RLIMIT_NOFILE);
    assertThat(files.allows(100)).isTrue();
    assertThat(files.raised().soft()).isEqualTo(files.hard());
    assertThat(new Limit(64, 64).allows(65)).isFalse();
    assertThat(new Limit(Limit.UNLIMITED, Limit.UNLIMITED).allows(Long.MAX_VALUE)).isTrue();
    assertThatThrownBy(() -> new Limit(65, 64).apply(Limit.Resource.RLIMIT_NOFILE))
        .hasMessage(
            "cannot set RLIMIT_NOFILE to 65, at most 64: setrlimit: EINVAL; no more than the hard"
                + " limit without CAP_SYS_RESOURCE: see ulimit -H -a");
  }

  @Test
  void loopbackInterface() throws IOException {
    NetworkDevice lo = NetworkDevice.of("lo");
    assertThat(lo.index())
        .isEqualTo(
            Integer.parseInt(Files.readString(Path.of("/sys/class/net/lo/ifindex")).strip()));
    assertThat(lo.mtu())
        .isEqualTo(Integer.parseInt(Files.readString(Path.of("/sys/class/net/lo/mtu")).strip()));
    assertThat(lo.isLoopback()).isTrue();
    assertThat(lo.isUp()).isTrue();
    assertThat(lo.isRunning()).isTrue();
    assertThat(lo.canBroadcast()).isFalse();
    assertThat(lo.hardwareAddress()).isZero();
    assertThatThrownBy(() -> NetworkDevice.of("none0"))
        .hasMessage(
            "cannot find the index of interface none0: ioctl: ENODEV; there is no such device:"
                + " compare with ip link");
    assertThatThrownBy(() -> NetworkDevice.of("a-name-too-long0"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
