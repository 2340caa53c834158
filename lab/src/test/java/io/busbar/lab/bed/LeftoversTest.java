package io.busbar.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a run leaves behind goes with its end, or with the next bed; what lives stays. */
@Timeout(120)
class LeftoversTest {
  static final Duration LIMIT = Duration.ofSeconds(60);

  /** A JVM that owns an open bed. */
  private record Owner(HostProcess process, List<String> namespaces, List<Long> processes)
      implements AutoCloseable {
    static HostProcess start() {
      List<String> options = List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
      return HostProcess.start(
          "an owner", ChildJvm.command(options, Guest.class, List.of("owner")));
    }

    static Owner of(HostProcess process) {
      String bed = process.awaitLine(line -> line.startsWith("bed "), LIMIT);
      String processes = process.awaitLine(line -> line.startsWith("processes "), LIMIT);
      return new Owner(process, words(bed).toList(), words(processes).map(Long::valueOf).toList());
    }

    private static Stream<String> words(String line) {
      return Arrays.stream(line.split(" ", -1)).skip(1);
    }

    boolean isThere() {
      return namespaces.stream().allMatch(LeftoversTest::exists)
          && Files.exists(Namespaces.FILES.resolve(namespaces.getFirst()));
    }

    boolean isGone() {
      return namespaces.stream().noneMatch(LeftoversTest::exists)
          && namespaces.stream().noneMatch(name -> Files.exists(Namespaces.FILES.resolve(name)))
          && processes.stream().noneMatch(LeftoversTest::lives);
    }

    @Override
    public void close() {
      process.close();
    }
  }

  @Test
  void deadRunsAreSweptAndLivingOnesAreNot() throws Exception {
    try (HostProcess first = Owner.start();
        HostProcess second = Owner.start();
        HostProcess third = Owner.start()) {
      Owner halted = Owner.of(first);
      Owner killed = Owner.of(second);
      Owner living = Owner.of(third);
      assertThat(halted.namespaces).hasSize(3);
      for (Owner owner : List.of(halted, killed, living)) {
        assertThat(owner.isThere()).isTrue();
        assertThat(owner.processes).hasSize(2).allMatch(LeftoversTest::lives);
      }

      halted.process.sendLine("halt");
      assertThat(halted.process.awaitExit(LIMIT)).isEqualTo(3);
      ProcessHandle.of(killed.process.pid()).orElseThrow().destroyForcibly();
      assertThat(killed.process.awaitExit(LIMIT)).isEqualTo(128 + 9);
      for (Owner owner : List.of(halted, killed)) {
        assertThat(owner.isThere()).isTrue();
        // Its child ends with it; its child's child does not.
        awaitThat(() -> !lives(owner.processes.getFirst()));
        assertThat(lives(owner.processes.getLast())).isTrue();
      }

      try (TestBed bed = TestBed.create(1)) {
        assertThat(exists(bed.host(0).name())).isTrue();
        assertThat(halted.isGone()).isTrue();
        assertThat(killed.isGone()).isTrue();
        assertThat(living.isThere()).isTrue();
        assertThat(living.processes).allMatch(LeftoversTest::lives);
        living.process.sendLine("talk");
        living.process.awaitLine(line -> line.startsWith("heard /10."), LIMIT);
      }

      // An exit without closing is cleaned up on the way out.
      living.process.sendLine("exit");
      assertThat(living.process.awaitExit(LIMIT)).isEqualTo(4);
      assertThat(living.isGone()).isTrue();
    }
  }

  @Test
  void onlyNamesOfBedsAreSwept() {
    long pid = ProcessHandle.current().pid();
    BedName mine = BedName.next();
    String successor = new BedName(pid, mine.startTicks() + 1, 0).host(0);
    String halfMade = new BedName(pid, mine.startTicks() + 1, 1).host(0);
    String alien = "busbar-%d-mine".formatted(pid);
    Shell.run(
        "make namespaces",
        "ip netns add %s\nip netns add %s\ntouch %s\n"
            .formatted(successor, alien, Namespaces.BOUND.resolve(halfMade)));
    try {
      Namespaces.sweep();
      assertThat(exists(successor)).isFalse();
      assertThat(exists(halfMade)).isFalse();
      assertThat(exists(alien)).isTrue();
    } finally {
      Shell.run("remove a namespace", "ip netns delete " + alien);
    }
  }

  @Test
  void closingRemovesAll() throws Exception {
    TestBed bed = TestBed.create(2);
    HostProcess process = bed.host(1).start(List.of("sleep", "1000"));
    List<String> names = bed.hosts().stream().map(TestHost::name).toList();
    assertThat(names).allMatch(LeftoversTest::exists);
    Thread.currentThread().interrupt();
    bed.close();
    assertThat(Thread.interrupted()).isTrue();
    bed.close();
    assertThat(names).noneMatch(LeftoversTest::exists);
    assertThat(names).noneMatch(name -> Files.exists(Namespaces.FILES.resolve(name)));
    assertThat(process.isAlive()).isFalse();
  }

  private static boolean exists(String namespace) {
    return Files.exists(Namespaces.BOUND.resolve(namespace), LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean lives(long pid) {
    return BedName.startTicks(pid) >= 0;
  }

  private static void awaitThat(BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(deadlineNs - System.nanoTime()).isPositive();
      LockSupport.parkNanos(1_000_000);
    }
  }
}
