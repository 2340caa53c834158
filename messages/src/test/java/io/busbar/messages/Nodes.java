package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.node.NodeConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Some nodes in one process, over one carrier. */
abstract class Nodes {
  static final long SECOND_NS = 1_000_000_000L;

  @TempDir Path folder;

  final ExecutorService threads = Executors.newCachedThreadPool();
  final List<Messages> nodes = new ArrayList<>();
  final List<String> told = new CopyOnWriteArrayList<>();

  /** Who was told who is gone: {@code "0 2"}, node 0 was told of node 2. */
  final List<String> toldGone = new CopyOnWriteArrayList<>();

  MessageEvents events(int self) {
    return new MessageEvents() {
      @Override
      public void onHandlerFailed(Handler handler, int from, long bytes, Throwable why) {
        told.add("%s %d %d %s".formatted(handler.name(), from, bytes, why.getMessage()));
      }

      @Override
      public void onUnknownHandler(int number, int from, long bytes) {
        told.add("unknown %d %d %d".formatted(number, from, bytes));
      }

      @Override
      public void onUndelivered(int node, long bytes) {
        told.add("undelivered " + node);
      }

      @Override
      public void onNodeGone(int node, String why) {
        told.add("gone " + node);
        toldGone.add("%d %d".formatted(self, node));
      }
    };
  }

  @AfterEach
  void close() {
    nodes.forEach(Messages::close);
    threads.close();
  }

  final void join(String fabric, int size) throws Exception {
    List<Future<Messages>> joining = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      NodeConfig config = NodeConfig.of(Map.of()).as(rank, size, folder).withFabrics(fabric);
      MessageEvents events = events(rank);
      joining.add(threads.submit(() -> Messages.join(config, events)));
    }
    for (Future<Messages> one : joining) {
      nodes.add(one.get());
    }
  }

  static MemorySegment pattern(int length, int seed) {
    MemorySegment memory = Arena.ofAuto().allocate(Math.max(1, length));
    for (int i = 0; i < length; i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7 + seed));
    }
    return memory;
  }

  /** Waits for something that other threads bring about. */
  static void awaitThat(String what, long seconds, BooleanSupplier condition)
      throws InterruptedException {
    long deadlineNs = System.nanoTime() + seconds * SECOND_NS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadlineNs).as("ns too late: " + what).isNegative();
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /** Extracts until nothing is left over of what has come. */
  static void awaitNothingHeld(Messages fm) throws InterruptedException {
    long deadlineNs = System.nanoTime() + 20 * SECOND_NS;
    while (!fm.held().isNothing()) {
      assertThat(System.nanoTime() - deadlineNs).as("ns too late: %s", fm.held()).isNegative();
      int _ = fm.extractOrWait(SECOND_NS / 1_000);
    }
  }
}
