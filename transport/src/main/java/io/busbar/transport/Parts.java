package io.busbar.transport;

import java.util.ArrayDeque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The working state that associations borrow while they are in use, so that resting ones need none.
 * What is given back is used again only after the outermost call has returned: an upcall may end an
 * association whose state is still on the stack.
 */
final class Parts {
  /** Parts kept for later; more are left to the collector. */
  private static final int KEPT = 1024;

  private final Shelf<StreamOut> outs;
  private final Shelf<StreamIn> ins = new Shelf<>(StreamIn::new);
  private final Shelf<SendQueue> queues = new Shelf<>(SendQueue::new);
  private int depth;

  Parts(TransportConfig config) {
    outs = new Shelf<>(() -> new StreamOut(config));
  }

  StreamOut out() {
    return outs.take();
  }

  StreamIn in() {
    return ins.take();
  }

  SendQueue queue() {
    return queues.take();
  }

  void retire(StreamOut out) {
    outs.retire(out);
  }

  void retire(StreamIn in) {
    ins.retire(in);
  }

  void retire(SendQueue queue) {
    queues.retire(queue);
  }

  /** A call begins that may make upcalls, and these may call again. */
  void hold() {
    depth++;
  }

  /** A call that began with {@link #hold} is over. */
  void settle() {
    if (--depth > 0) {
      return;
    }
    outs.settle();
    ins.settle();
    queues.settle();
  }

  int inUse() {
    return outs.inUse + ins.inUse + queues.inUse;
  }

  /** Something that can be used again. */
  interface Part {
    void clear();
  }

  private static final class Shelf<T extends Part> {
    private final ArrayDeque<T> free = new ArrayDeque<>();
    private final ArrayDeque<T> retired = new ArrayDeque<>();
    private final Supplier<T> maker;
    private int inUse;

    Shelf(Supplier<T> maker) {
      this.maker = maker;
    }

    T take() {
      inUse++;
      @Nullable T part = free.pollLast();
      return part == null ? maker.get() : part;
    }

    void retire(T part) {
      inUse--;
      retired.addLast(part);
    }

    void settle() {
      while (!retired.isEmpty()) {
        T part = retired.removeLast();
        part.clear();
        if (free.size() < KEPT) {
          free.addLast(part);
        }
      }
    }
  }
}
