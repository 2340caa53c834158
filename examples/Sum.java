import io.busbar.messages.Handler;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.Messages;
import io.busbar.node.NodeConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

// Process 0 scatters numbers, the others add them up, process 0 gathers the sums:
// ./busbar run -n 4 examples/Sum.java
static final int NUMBERS = 8_000; // for each process: 64,000 bytes
static final long PATIENCE_NS = 30_000_000_000L;

long sum;
int sums;
boolean done;

void main() throws InterruptedException {
  try (Messages fm = Messages.join(NodeConfig.defaults(), MessageEvents.NONE)) {
    int size = fm.node().size();
    MemorySegment part = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, NUMBERS);
    MemorySegment result = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
    Handler gather =
        fm.handler(
            "gather",
            (in, from) -> {
              sum += in.receiveLong();
              sums++;
            });
    Handler scatter =
        fm.handler(
            "scatter",
            (in, from) -> {
              long own = 0;
              while (in.remaining() > 0) {
                own += in.receiveLong();
              }
              result.set(ValueLayout.JAVA_LONG, 0, own);
              fm.send(from, gather, result, 0, Long.BYTES);
              done = true;
            });
    if (fm.node().id() > 0) {
      fm.await(() -> done, PATIENCE_NS);
      return;
    }
    long next = 1;
    for (int to = 1; to < size; to++) {
      for (int i = 0; i < NUMBERS; i++) {
        part.setAtIndex(ValueLayout.JAVA_LONG, i, next++);
      }
      fm.send(to, scatter, part, 0, NUMBERS * Long.BYTES); // part may be changed when this returns
    }
    fm.await(() -> sums == size - 1, PATIENCE_NS);
    IO.println("the numbers from 1 to %d add up to %d".formatted(next - 1, sum));
  }
}
