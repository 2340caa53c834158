package io.busbar.bench.crowd;

import io.busbar.bench.contest.Troubles;
import io.busbar.messages.Handler;
import io.busbar.messages.InMessage;
import io.busbar.messages.Messages;
import io.busbar.node.NodeConfig;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Fast Messages over UDP, each member a node. */
final class MessagesEnd implements End {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int FAREWELL = -1;
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  private final int rank;
  private final int size;
  private final String host;
  private final Path folder;
  private final Path meeting;
  private final MemorySegment out = Arena.ofAuto().allocate(BUFFER_BYTES, 4096);
  private final MemorySegment in = Arena.ofAuto().allocate(BUFFER_BYTES, 4096);
  private @Nullable Joined joined;
  private final Troubles troubles = new Troubles();

  // Handlers run on the thread that waits.
  private long answers;
  private long ends;

  /** What comes before the one who takes is told to. */
  private final Queue<Integer> early = new ArrayDeque<>();

  private @Nullable Tally tally;

  MessagesEnd(int rank, int size, String host, Path folder) throws IOException {
    this.rank = rank;
    this.size = size;
    this.host = host;
    this.folder = folder;
    meeting = folder.resolve("crowd-" + ProcessHandle.current().pid());
    Files.createDirectories(meeting);
  }

  @Override
  public String address() {
    return meeting.toString();
  }

  /** The node and its handlers. */
  private final class Joined {
    final Messages fm;
    final Handler question;
    final Handler answer;
    final Handler take;
    final Handler farewell;
    final Handler end;

    Joined(Path where) throws InterruptedException {
      NodeConfig config =
          new NodeConfig(
              "crowd",
              "crowd-" + rank,
              rank,
              size,
              where,
              host,
              List.of("udp"),
              folder.toString(),
              PATIENCE_NS);
      fm = Messages.join(config, troubles);
      question = fm.handler("question", this::onQuestion);
      answer = fm.handler("answer", (message, from) -> answers += received(message));
      take = fm.handler("take", this::onTake);
      farewell = fm.handler("farewell", (message, from) -> count(FAREWELL * received(message)));
      end = fm.handler("end", (message, from) -> ends += received(message));
    }

    private void onQuestion(InMessage message, int from) {
      int _ = received(message);
      fm.send(from, answer, in, 0, message.length());
    }

    private void onTake(InMessage message, int from) {
      int _ = received(message);
      count(from);
    }

    private int received(InMessage message) {
      message.receive(in, 0, message.length());
      return 1;
    }

    void send(Handler to, int bytes) {
      fm.send(size - 1, to, out, 0, bytes);
    }

    void await(BooleanSupplier isOver) {
      try {
        if (!fm.await(isOver, PATIENCE_NS)) {
          throw new IllegalStateException(
              "waited in vain after %d answers and %d ends; %s".formatted(answers, ends, troubles));
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted while waiting", e);
      }
    }
  }

  @Override
  public void connect(String[] all) throws InterruptedException {
    joined = new Joined(Path.of(all[0]));
  }

  private Joined joined() {
    Joined now = joined;
    if (now == null) {
      throw new IllegalStateException("not connected");
    }
    return now;
  }

  @Override
  public int ask(int bytes, long forNs, long[] roundTripsNs) {
    Joined at = joined();
    long beganNs = System.nanoTime();
    int noted = 0;
    while (noted < roundTripsNs.length && System.nanoTime() - beganNs < forNs) {
      long startNs = System.nanoTime();
      long wanted = answers + 1;
      at.send(at.question, bytes);
      at.await(() -> answers >= wanted);
      roundTripsNs[noted++] = System.nanoTime() - startNs;
    }
    long wanted = ends + 1;
    at.send(at.farewell, 1);
    at.await(() -> ends >= wanted);
    return noted;
  }

  @Override
  public void flood(int bytes, int count) {
    Joined at = joined();
    long wanted = ends + 1;
    for (int i = 0; i < count; i++) {
      at.send(at.take, bytes);
    }
    at.await(() -> ends >= wanted);
  }

  private void count(int from) {
    Tally now = tally;
    if (now == null) {
      early.add(from);
    } else if (from == FAREWELL) {
      now.onFarewell();
    } else {
      now.onMessage(from);
    }
  }

  @Override
  public void take(int askedBytes, int bytes, Tally all) {
    Joined at = joined();
    tally = all;
    while (!early.isEmpty()) {
      count(early.remove());
    }
    at.await(all::isComplete);
    tally = null;
    for (int i = 0; i < size - 1; i++) {
      at.fm.send(i, at.end, out, 0, 1);
    }
  }

  @Override
  public void close() {
    if (joined != null) {
      joined.fm.close();
    }
  }
}
