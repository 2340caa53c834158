package io.busbar.bench.contest;

import io.busbar.messages.Handler;
import io.busbar.messages.InMessage;
import io.busbar.messages.Messages;
import io.busbar.messages.OutMessage;
import io.busbar.node.NodeConfig;
import io.busbar.node.stat.NodeSnapshot;
import io.busbar.node.stat.PeerSnapshot;
import io.busbar.node.stat.StatReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Busbar: Fast Messages as a careful program uses them. A message is one {@code send}; its handler
 * receives it to private memory, and answers if it was a question. Who waits extracts in a loop, or
 * waits in {@code await} if the contender sleeps.
 */
final class FastMessages implements Contender {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  /** What a node shows of its counters may be so old. */
  private static final long STALE_NS = 2_500_000_000L;

  private final NodeConfig config;
  private final boolean sleeps;
  private final Way way;
  private final MemorySegment out = Arena.ofAuto().allocate(BUFFER_BYTES, 4096);
  private final MemorySegment in = Arena.ofAuto().allocate(BUFFER_BYTES, 4096);
  private final BooleanSupplier enough = this::isEnough;
  private @Nullable Messages joined;
  private @Nullable Handler question;
  private @Nullable Handler answer;
  private @Nullable Handler take;
  private final Troubles troubles = new Troubles();

  // Handlers run on the thread that extracts, which is the one that waits.
  private long handled;
  private long wanted;

  /** How a message is sent. */
  enum Way {
    /** By one call. */
    WHOLE,
    /** It begins, has one piece, and is closed. */
    IN_PIECES,
    /** A buffer is given away; the handler takes it, and gives it back unread. */
    GIVEN
  }

  /**
   * One end, not joined yet.
   *
   * @param fabric what carries the messages, {@code shm} or {@code udp}
   * @param directory for the segments and the meeting
   */
  FastMessages(
      String fabric, String host, boolean asks, String directory, boolean sleeps, Way way) {
    this.sleeps = sleeps;
    this.way = way;
    config = Meetings.config(fabric, host, asks, directory);
  }

  @Override
  public String address() {
    return String.valueOf(config.meeting());
  }

  @Override
  public void connect(String other) {
    try {
      Messages fm = Messages.join(Meetings.at(config, other), troubles);
      question = fm.handler("question", this::onQuestion);
      answer = fm.handler("answer", this::onMessage);
      take = fm.handler("take", this::onMessage);
      joined = fm;
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while joining", e);
    }
  }

  private Messages fm() {
    return open(joined);
  }

  private static <T> T open(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("not connected");
    }
    return part;
  }

  private int peer() {
    return 1 - config.rank();
  }

  private void onMessage(InMessage message, int from) {
    if (way == Way.GIVEN) {
      message.take().close();
    } else {
      message.receive(in, 0, message.length());
    }
    handled++;
  }

  private void send(Messages fm, int to, Handler handler, int bytes) {
    switch (way) {
      case WHOLE -> fm.send(to, handler, out, 0, bytes);
      case IN_PIECES -> {
        try (OutMessage message = fm.begin(to, bytes, handler)) {
          message.send(out, 0, bytes);
        }
      }
      case GIVEN -> fm.give(to, handler, fm.buffer(bytes), bytes);
    }
  }

  private void onQuestion(InMessage message, int from) {
    message.receive(in, 0, message.length());
    fm().send(from, open(answer), in, 0, message.length());
    handled++;
  }

  private void await(Messages fm, long until) {
    wanted = until;
    if (sleeps) {
      sleepUntilEnough(fm);
    }
    while (handled < until) {
      if (fm.extract() == 0) {
        Thread.onSpinWait();
        troubles.check();
      }
    }
  }

  private boolean isEnough() {
    return handled >= wanted;
  }

  private void sleepUntilEnough(Messages fm) {
    try {
      if (!fm.await(enough, PATIENCE_NS)) {
        throw new IllegalStateException(
            "%d of %d messages came; %s".formatted(handled, wanted, troubles));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while waiting", e);
    }
  }

  @Override
  public void ask(int bytes, int count, long[] roundTripsNs) {
    Messages fm = fm();
    Handler ask = open(question);
    int peer = peer();
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      fm.send(peer, ask, out, 0, bytes);
      await(fm, handled + 1);
      roundTripsNs[i] = System.nanoTime() - start;
    }
  }

  @Override
  public void turn() {
    if (!sleeps) {
      int _ = fm().extract();
    }
  }

  @Override
  public void answer(int bytes, int count) {
    await(fm(), handled + count);
  }

  @Override
  public void flood(int bytes, int count) {
    Messages fm = fm();
    Handler to = open(take);
    int peer = peer();
    long until = handled + 1;
    for (int i = 0; i < count; i++) {
      send(fm, peer, to, bytes);
    }
    await(fm, until);
  }

  @Override
  public void sink(int bytes, int count) {
    await(fm(), handled + count);
    fm().send(peer(), open(answer), out, 0, 1);
  }

  @Override
  public void mix(Mix mix, long[] latenciesNs) {
    Messages fm = fm();
    Mix.Agenda agenda = mix.new Agenda(latenciesNs);
    long first = handled;
    while (!agenda.isOver()) {
      if (agenda.wantsBulk() && fm.trySend(peer(), open(take), out, 0, mix.bulkBytes())) {
        agenda.bulkSent();
      }
      if (agenda.wantsQuestion()) {
        agenda.asked();
        fm.send(peer(), open(question), out, 0, mix.bytes());
      }
      int _ = fm.extract();
      if (handled - first > agenda.answers() && agenda.waits()) {
        agenda.answered();
      }
    }
    await(fm, first + mix.count() + 1); // the other end has all of them
  }

  @Override
  public void takeMix(Mix mix) {
    await(fm(), handled + mix.count() + mix.bulks());
    fm().send(peer(), open(answer), out, 0, 1);
  }

  @Override
  public void rest(long ms) throws InterruptedException {
    if (!sleeps) {
      Thread.sleep(ms); // nobody waits for messages: the caretaker's time
      return;
    }
    long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    for (long leftNs = untilNs - System.nanoTime(); leftNs > 0; ) {
      int _ = fm().extractOrWait(leftNs);
      leftNs = untilNs - System.nanoTime();
    }
  }

  /** Messages and data frames that were sent over UDP. */
  @Override
  public Map<String, Long> counters() {
    try {
      int _ = fm().extractOrWait(STALE_NS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while resting", e);
    }
    Map<String, Long> counters = new LinkedHashMap<>();
    long pid = ProcessHandle.current().pid();
    StatReader.places().stream()
        .flatMap(place -> StatReader.list(place).stream())
        .filter(NodeSnapshot.class::isInstance)
        .map(NodeSnapshot.class::cast)
        .filter(shown -> shown.pid() == pid && shown.node() == config.rank())
        .forEach(
            shown -> {
              counters.put("records", shown.total(PeerSnapshot::messagesOut));
              counters.put("frames", shown.counters().getOrDefault("qmp.data-out", 0L));
            });
    return counters;
  }

  @Override
  public void close() {
    if (joined != null) {
      joined.close();
    }
  }
}
