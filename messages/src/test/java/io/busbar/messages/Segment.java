package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bus.MemberEvent;
import io.busbar.fabric.Nic;
import io.busbar.node.BroadcastEvent;
import io.busbar.node.Discovery;
import io.busbar.node.Node;
import io.busbar.node.NodeConfig;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of this process that nobody told of each other, each with a program that extracts. */
abstract class Segment {
  static final long SECOND_NS = 1_000_000_000;
  static final Handler HEAR = Handler.named("hear");
  static final Handler HEAR_LONG = Handler.named("long");

  final ExecutorService pool = Executors.newCachedThreadPool();
  private final List<Guest> guests = new ArrayList<>();
  final int port = 20_000 + (int) (ProcessHandle.current().pid() % 20_000);

  /** A node with a program that extracts, and notes what it hears. */
  class Guest implements MessageEvents {
    final Queue<String> told = new ConcurrentLinkedQueue<>();
    final AtomicInteger heard = new AtomicInteger();
    final Messages messages;
    volatile boolean sleeps;

    /** Whether it takes nothing, because it sleeps. */
    volatile boolean isAsleep;

    private volatile boolean ended;
    private final Future<?> extracting;

    Guest(NodeConfig config) throws InterruptedException {
      this(config, UnaryOperator.identity());
    }

    /** With something over each of its interfaces. */
    Guest(NodeConfig config, UnaryOperator<Nic> over) throws InterruptedException {
      messages = Messages.over(user -> Node.join(config, user, over), this);
      Handler _ = messages.handler("hear", (in, from) -> heard.incrementAndGet());
      Handler _ = messages.handler("long", (in, from) -> hearLong(in));
      extracting =
          pool.submit(
              () -> {
                while (!ended) {
                  isAsleep = sleeps;
                  if (isAsleep) {
                    Thread.sleep(10);
                  } else {
                    int _ = messages.extractOrWait(10_000_000);
                  }
                }
                return true;
              });
    }

    private void hearLong(InMessage in) throws Exception {
      in.receive(new byte[100_000]);
      told.add("LONG");
      in.receive(new byte[900_000]);
    }

    @Override
    public void onHandlerFailed(Handler handler, int from, long bytes, Throwable why) {
      told.add("FAILED " + from);
    }

    @Override
    public void onMember(MemberEvent event) {
      told.add("%s %d".formatted(event.what(), event.member().id()));
    }

    @Override
    public void onBroadcast(BroadcastEvent event) {
      told.add(
          "%s %d %d %d %s"
              .formatted(event.what(), event.node(), event.from(), event.to(), event.group())
              .strip());
    }

    @Override
    public void onNodeGone(int node, String why) {
      told.add("GONE " + node);
    }

    long count(String event) {
      return told.stream().filter(event::equals).count();
    }

    boolean knows(String event) {
      return told.contains(event);
    }

    int id() {
      return messages.node().id();
    }

    void say(int to) {
      messages.send(to, HEAR, MemorySegment.ofArray(new byte[100]), 0, 100);
    }

    void close() throws Exception {
      ended = true;
      extracting.get(20, TimeUnit.SECONDS);
      messages.close();
    }
  }

  @TempDir Path folder;

  NodeConfig config(String cluster, Discovery discovery, String... fabrics) {
    return NodeConfig.find(cluster, discovery.withPort(0))
        .withHost("127.0.0.1")
        .withShmDirectory(folder.toString())
        .withFabrics(fabrics);
  }

  Discovery segment() {
    return Discovery.onSegment().withGroup("239.255.70.9:" + port);
  }

  Guest join(NodeConfig config) throws InterruptedException {
    return join(config, UnaryOperator.identity());
  }

  Guest join(NodeConfig config, UnaryOperator<Nic> over) throws InterruptedException {
    Guest guest = new Guest(config, over);
    guests.add(guest);
    return guest;
  }

  List<Guest> joinAtOnce(List<NodeConfig> configs) throws Exception {
    List<Callable<Guest>> joining = new ArrayList<>();
    configs.forEach(config -> joining.add(() -> new Guest(config)));
    List<Guest> joined = new ArrayList<>();
    for (Future<Guest> one : pool.invokeAll(joining)) {
      joined.add(one.get());
    }
    guests.addAll(joined);
    return joined;
  }

  static void awaitThat(String what, BooleanSupplier condition) throws Exception {
    long endNs = System.nanoTime() + 20 * SECOND_NS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time: %s", what).isLessThan(endNs);
      Thread.sleep(1);
    }
  }

  @AfterEach
  void end() throws Exception {
    for (Guest guest : guests) {
      guest.close();
    }
    pool.shutdownNow();
  }
}
