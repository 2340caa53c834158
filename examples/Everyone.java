import io.busbar.messages.Handler;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.Messages;
import io.busbar.node.NodeConfig;
import java.nio.charset.StandardCharsets;
import java.lang.foreign.MemorySegment;
import java.util.TreeSet;

// Processes that find each other, and each tells all others something:
// ./busbar run -n 4 examples/Everyone.java
static final long PATIENCE_NS = 30_000_000_000L;

final TreeSet<String> heard = new TreeSet<>();
int read;

void main() throws InterruptedException {
  NodeConfig found = NodeConfig.defaults().found(); // nobody is told of anybody
  try (Messages fm = Messages.join(found, MessageEvents.NONE)) {
    int others = fm.node().size() - 1;
    Handler hear = fm.handler("hear", (in, from) -> heard.add(text(in.receiveRest())));
    Handler done = fm.handler("done", (in, from) -> read++);
    MemorySegment words = MemorySegment.ofArray(bytes("this is node " + fm.node().id()));
    fm.send(Messages.EVERYONE, hear, words, 0, words.byteSize());
    check(fm.await(() -> heard.size() == others, PATIENCE_NS), "the others");
    fm.send(Messages.EVERYONE, done, 0, 0, 0, 0);
    check(fm.await(() -> read == others, PATIENCE_NS), "all to have heard all");
  }
  IO.println("heard " + heard);
}

static void check(boolean came, String what) {
  if (!came) {
    throw new IllegalStateException("waited in vain for " + what);
  }
}

static byte[] bytes(String text) {
  return text.getBytes(StandardCharsets.UTF_8);
}

static String text(byte[] bytes) {
  return new String(bytes, StandardCharsets.UTF_8);
}
