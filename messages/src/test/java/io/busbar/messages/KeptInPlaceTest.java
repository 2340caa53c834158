package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.node.Node;
import io.busbar.node.NodeConfig;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What waits for its handler stays where it came, and is not copied there. */
@Timeout(60)
class KeptInPlaceTest extends Nodes {
  private final List<Nic> nics = new ArrayList<>();

  /** Two nodes; the interfaces of node 1 are known. */
  private void joinTwo(String fabric) throws Exception {
    List<Future<Messages>> joining = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      int self = rank;
      NodeConfig config = NodeConfig.of(Map.of()).as(rank, 2, folder).withFabrics(fabric);
      joining.add(
          threads.submit(
              () ->
                  Messages.over(
                      user -> Node.join(config, user, nic -> known(self, nic)), events(self))));
    }
    for (Future<Messages> one : joining) {
      nodes.add(one.get());
    }
  }

  private Nic known(int rank, Nic nic) {
    if (rank == 1) {
      nics.add(nic);
    }
    return nic;
  }

  private long count(NicCount what) {
    Messages b = nodes.get(1);
    b.node().take();
    try {
      return nics.stream().mapToLong(nic -> nic.counters().get(what)).sum();
    } finally {
      b.node().release();
    }
  }

  /** A record that came in a frame, or a buffer, of its own; pieces of a body. */
  @ParameterizedTest
  @CsvSource({"shm, 20000, 1", "udp, 1200, 1", "shm, 200000, 3", "udp, 200000, 3"})
  void framesOfWhatWaitsAreClaimed(String fabric, int length, int atLeast) throws Exception {
    joinTwo(fabric);
    Messages b = nodes.get(1);
    boolean[] goesOn = new boolean[1];
    byte[][] heard = new byte[1][];
    Handler take =
        b.waitingHandler(
            "take",
            (in, _) -> {
              in.await(() -> goesOn[0]);
              heard[0] = in.receiveRest();
            });
    long before = count(NicCount.CLAIMED);
    Future<?> sending =
        threads.submit(() -> nodes.get(0).send(1, take, pattern(length, 3), 0, length));
    long deadlineNs = System.nanoTime() + 20 * SECOND_NS;
    while (count(NicCount.CLAIMED) - before < atLeast) {
      assertThat(System.nanoTime()).as("nothing is claimed").isLessThan(deadlineNs);
      int _ = b.extractOrWait(SECOND_NS / 1_000);
    }
    goesOn[0] = true;
    assertThat(b.await(() -> heard[0] != null, 20 * SECOND_NS)).isTrue();
    Object _ = sending.get();
    assertThat(heard[0]).isEqualTo(pattern(length, 3).toArray(ValueLayout.JAVA_BYTE));
    awaitNothingHeld(b);
  }
}
