package io.busbar.bench.broadcast;

import io.busbar.bus.MemberEvent;
import io.busbar.messages.Handler;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.Messages;
import io.busbar.node.BroadcastEvent;
import io.busbar.node.Discovery;
import io.busbar.node.NodeConfig;
import io.busbar.node.stat.NodeSnapshot;
import io.busbar.node.stat.StatReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Busbar: nodes that find each other, and messages to everyone. */
final class BusbarVoice implements Voice, MessageEvents {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  /** Older figures of a node than these are shown no longer. */
  private static final long SHOWN_NS = 250_000_000;

  private static final int TOLD_MAX = 64;

  private static final List<String> COUNTS =
      List.of("data-out", "repairs-out", "polls-out", "status-in", "naks-in");

  private final int rank;
  private final int size;
  private final NodeConfig config;
  private final MemorySegment bytes = Arena.ofAuto().allocate(BUFFER_BYTES, 64);
  private @Nullable Messages messages;
  private final Handler data = Handler.named("data");
  private final Handler have = Handler.named("have");
  private long heard;
  private long expected;
  private int haves;
  private boolean died;

  /** What a hearer has missed never comes: who waits for it in vain says what it was told. */
  private final Deque<Record> told = new ArrayDeque<>();

  BusbarVoice(int rank, int size, String host, String fabrics, String name) {
    this.rank = rank;
    this.size = size;
    Discovery discovery = Discovery.onSegment().withId(rank).expecting(size).withPort(0);
    this.config =
        NodeConfig.find(name, discovery).withHost(host).withFabrics(fabrics.split(",", -1));
  }

  private Messages messages() {
    if (messages == null) {
      throw new IllegalStateException("nobody has joined");
    }
    return messages;
  }

  @Override
  public void join() throws InterruptedException {
    Messages joined = Messages.join(config, this);
    messages = joined;
    Handler _ = joined.handler("data", (in, from) -> heard++);
    Handler _ = joined.handler("have", (in, from) -> haves++);
  }

  private void await(String what, BooleanSupplier condition) throws InterruptedException {
    if (!messages().await(condition, PATIENCE_NS)) {
      throw new IllegalStateException(
          "rank %d waits in vain for %s: %d of %d heard, %d of %d have all; it was told: %s"
              .formatted(rank, what, heard, expected, haves, size - 1, told));
    }
  }

  @Override
  public void send(int count, int length) throws InterruptedException {
    haves = 0;
    Messages fm = messages();
    for (int i = 0; i < count; i++) {
      fm.send(Messages.EVERYONE, data, bytes, 0, length);
    }
    await("the others", () -> haves == size - 1);
  }

  @Override
  public void expect(int count) {
    expected = heard + count;
  }

  @Override
  public void take() throws InterruptedException {
    await("messages", () -> heard >= expected);
    messages().send(0, have, rank, 0, 0, 0);
  }

  @Override
  public void awaitDeath() throws InterruptedException {
    await("a death", () -> died);
    died = false;
  }

  @Override
  public void onBroadcast(BroadcastEvent event) {
    note(event);
  }

  @Override
  public void onMember(MemberEvent event) {
    died |= event.what() == MemberEvent.What.DIED;
    note(event);
  }

  private void note(Record event) {
    if (told.size() == TOLD_MAX) {
      Record _ = told.remove();
    }
    told.add(event);
  }

  /** From the file that every node keeps, once it shows what has been done. */
  @Override
  public String counted() {
    LockSupport.parkNanos(SHOWN_NS);
    long pid = ProcessHandle.current().pid();
    for (Path place : StatReader.places()) {
      for (Object reading : StatReader.list(place)) {
        if (reading instanceof NodeSnapshot node && node.pid() == pid) {
          Map<String, Long> counters = node.counters();
          return COUNTS.stream()
              .map(name -> name + " " + counters.getOrDefault("cast." + name, 0L))
              .collect(Collectors.joining(" "));
        }
      }
    }
    return "";
  }

  @Override
  public void close() {
    if (messages != null) {
      messages.close();
    }
  }
}
