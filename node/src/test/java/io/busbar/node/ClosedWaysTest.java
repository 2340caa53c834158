package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bus.BusCount;
import io.busbar.fabric.ForwardingNic;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.udp.UdpNic;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ways by datagrams to those who have gone are closed: an interface has 4,096 of them. */
@Timeout(60)
class ClosedWaysTest {
  private static final long LIMIT_NS = 10_000_000_000L;

  @TempDir Path shm;
  private final Set<Integer> open = ConcurrentHashMap.newKeySet();
  private final int port = 20_000 + (int) (ProcessHandle.current().pid() % 20_000);

  /** Notes which ways are open. */
  private final class Noting extends ForwardingNic {
    Noting(Nic below) {
      super(below);
    }

    @Override
    public int open(NicAddress peer) {
      int number = super.open(peer);
      boolean _ = open.add(number);
      return number;
    }

    @Override
    public void close(int peer) {
      boolean _ = open.remove(peer);
      super.close(peer);
    }
  }

  private NodeConfig config(int id, int expected) {
    Discovery segment =
        Discovery.onSegment()
            .withGroup("239.255.70.9:" + port)
            .withPort(0)
            .withId(id)
            .expecting(expected);
    return NodeConfig.find("closed", segment)
        .withHost("127.0.0.1")
        .withShmDirectory(shm.toString())
        .withFabrics("shm", "udp");
  }

  private static void awaitThat(String what, BooleanSupplier condition) throws Exception {
    long endNs = System.nanoTime() + LIMIT_NS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time: %s", what).isLessThan(endNs);
      Thread.sleep(1);
    }
  }

  private static long probes(Node of) {
    of.take();
    long count = of.count(BusCount.PROBES_OUT);
    of.release();
    return count;
  }

  /** Their lanes are in shared memory, so nobody else closes the way by datagrams. */
  @Test
  void whoLeavesOrBeginsAnotherLifeLeavesNoWayOpen() throws Exception {
    try (Node stays =
        Node.join(
            config(1, 1),
            Users.deaf(),
            nic -> nic.fabric().equals(UdpNic.FABRIC) ? new Noting(nic) : nic)) {
      for (int life = 1; life <= 3; life++) {
        long before = probes(stays);
        try (Node comes = Node.join(config(2, 2), Users.deaf())) {
          awaitThat("it is asked for a sign of life", () -> probes(stays) > before);
          assertThat(open).hasSize(1);
          assertThat(comes.size()).isEqualTo(2);
        }
        awaitThat("its way is closed", open::isEmpty);
      }
    }
  }
}
