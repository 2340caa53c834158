import io.busbar.messages.Handler;
import io.busbar.messages.MessageBuffer;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.Messages;
import io.busbar.node.NodeConfig;
import java.lang.foreign.ValueLayout;

// Process 0 fills buffers and gives them away, process 1 keeps what it took: over shared memory
// their owner changes, and nobody copies a byte. ./busbar run -n 2 examples/PassAlong.java
static final int BYTES = 100_000;
static final int COUNT = 200;
static final long PATIENCE_NS = 30_000_000_000L;

int taken;
long sum;
MessageBuffer kept;
boolean thanked;

void main() throws InterruptedException {
  try (Messages fm = Messages.join(NodeConfig.defaults(), MessageEvents.NONE)) {
    Handler thanks = fm.handler("thanks", (in, from) -> thanked = true);
    Handler give =
        fm.handler(
            "give",
            (in, from) -> {
              MessageBuffer mine = in.take(); // it stays here after the handler has returned
              sum += mine.memory().get(ValueLayout.JAVA_INT, BYTES - 4L);
              if (kept != null) {
                kept.close(); // back to where it came from
              }
              kept = mine;
              taken++;
            });
    if (fm.node().id() == 0) {
      for (int i = 0; i < COUNT; i++) {
        MessageBuffer buffer = fm.buffer(BYTES);
        buffer.memory().set(ValueLayout.JAVA_INT, BYTES - 4L, i);
        fm.give(1, give, buffer, BYTES); // not ours any more
      }
      fm.await(() -> thanked, PATIENCE_NS);
    } else if (fm.node().id() == 1) {
      fm.await(() -> taken == COUNT, PATIENCE_NS);
      kept.close();
      IO.println("took %d buffers, whose last numbers add up to %d".formatted(taken, sum));
      fm.send(0, thanks, 0, 0, 0, 0);
    }
  }
}
