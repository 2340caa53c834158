import io.busbar.messages.Handler;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.Messages;
import io.busbar.messages.OutMessage;
import io.busbar.node.NodeConfig;
import java.lang.foreign.MemorySegment;
import java.nio.LongBuffer;
import java.util.stream.LongStream;

// Process 0 scatters numbers, the others add them up, process 0 gathers the sums:
// ./busbar run -n 4 examples/ScatterGather.java
static final int NUMBERS = 1_000_000; // for each process: 8 MB, handled while they arrive
static final long PATIENCE_NS = 30_000_000_000L;

long sum;
int sums;
boolean done;

void main() throws InterruptedException {
  try (Messages fm = Messages.join(NodeConfig.defaults(), MessageEvents.NONE)) {
    int size = fm.node().size();
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
              int count = in.receiveInt(); // first the header, then the numbers where they belong
              long[] part = new long[count];
              in.receive(MemorySegment.ofArray(part));
              try (OutMessage out = fm.begin(from, Long.BYTES, gather)) {
                out.sendLong(LongStream.of(part).sum());
              }
              done = true;
            });
    if (fm.node().id() > 0) {
      fm.await(() -> done, PATIENCE_NS);
      return;
    }
    long[] numbers = LongStream.rangeClosed(1, (size - 1L) * NUMBERS).toArray();
    for (int to = 1; to < size; to++) {
      try (OutMessage out = fm.begin(to, Integer.BYTES + 8L * NUMBERS, scatter)) {
        out.sendInt(NUMBERS);
        out.send(MemorySegment.ofBuffer(LongBuffer.wrap(numbers, (to - 1) * NUMBERS, NUMBERS)));
      }
    }
    fm.await(() -> sums == size - 1, PATIENCE_NS);
    IO.println("the numbers from 1 to %d add up to %d".formatted(numbers.length, sum));
  }
}
