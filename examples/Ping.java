import io.busbar.messages.Handler;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.Messages;
import io.busbar.node.NodeConfig;
import java.util.Arrays;

// Two processes exchange four words, to and fro: ./busbar run -n 2 examples/Ping.java
static final int ROUNDS = 20_000;
static final long PATIENCE_NS = 30_000_000_000L;

int heard; // the number of the last ball that came

void main() throws InterruptedException {
  try (Messages fm = Messages.join(NodeConfig.defaults(), MessageEvents.NONE)) {
    if (fm.node().size() != 2) {
      throw new IllegalArgumentException("Ping is for two: ./busbar run -n 2 examples/Ping.java");
    }
    Handler ball = fm.handler("ball", (in, from) -> heard = in.receiveInt());
    int other = 1 - fm.node().id();
    long[] tookNs = new long[ROUNDS];
    for (int round = 1; round <= ROUNDS; round++) {
      long startNs = System.nanoTime();
      if (fm.node().id() == 0) {
        fm.send(other, ball, round, 0, 0, 0);
      }
      int expected = round;
      if (!fm.await(() -> heard == expected, PATIENCE_NS)) {
        throw new IllegalStateException("ball %d did not come".formatted(round));
      }
      if (fm.node().id() == 1) {
        fm.send(other, ball, round, 0, 0, 0);
      }
      tookNs[round - 1] = System.nanoTime() - startNs;
    }
    if (fm.node().id() == 0) {
      Arrays.sort(tookNs);
      IO.println(
          "%d round trips over %s, half of them within %.2f us"
              .formatted(ROUNDS, fm.node().choices().get(1), tookNs[ROUNDS / 2] / 1000.0));
    }
  }
}
