import io.busbar.messages.Handler;
import io.busbar.messages.InMessage;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.Messages;
import io.busbar.node.NodeConfig;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

// Process 0 answers, the others ask: ./busbar run -n 3 examples/Echo.java
static final long PATIENCE_NS = 30_000_000_000L;

int asked;
String answer = "";

void main() throws InterruptedException {
  try (Messages fm = Messages.join(NodeConfig.defaults(), MessageEvents.NONE)) {
    Handler answers = fm.handler("answer", (in, from) -> answer = text(in));
    Handler asks =
        fm.handler(
            "ask",
            (in, from) -> {
              asked++;
              say(fm, from, answers, "node 0 heard: " + text(in));
            });
    int self = fm.node().id();
    if (self == 0) {
      fm.await(() -> asked == fm.node().size() - 1, PATIENCE_NS);
      IO.println("answered %d questions".formatted(asked));
    } else {
      say(fm, 0, asks, "this is node " + self);
      fm.await(() -> !answer.isEmpty(), PATIENCE_NS);
      IO.println(answer);
    }
  }
}

void say(Messages fm, int to, Handler handler, String words) {
  byte[] bytes = words.getBytes(StandardCharsets.UTF_8);
  fm.send(to, handler, MemorySegment.ofArray(bytes), 0, bytes.length);
}

String text(InMessage in) {
  return new String(in.receiveRest(), StandardCharsets.UTF_8);
}
