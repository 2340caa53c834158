package io.busbar.bench.modes;

import io.busbar.fabric.modes.ModeReceiver;
import io.busbar.fabric.modes.ModeSender;
import io.busbar.fabric.modes.ModesConfig;
import io.busbar.fabric.modes.ReceiveMode;
import io.busbar.fabric.modes.SendMode;
import io.busbar.memory.Crossover;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Both ends of a channel for messages of one size, and how often a mode moves one in a second. */
final class Rig implements AutoCloseable {
  private static final int PIECE_BYTES = 32 << 10;
  private static final long EXTENT_LEAST = 64 << 10;
  private static final double NS = 1e9;

  private final int bytes;
  private final boolean touched;
  private final ModeSender sender;
  private final ModeReceiver receiver;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment ownOut;
  private final MemorySegment ownIn;
  private final MemorySegment direct;
  private final MemorySegment pagesOut;
  private final MemorySegment pagesOther;
  private final MemorySegment pagesIn;
  private final MemorySegment near = arena.allocate(PIECE_BYTES, 4096);
  private boolean other;
  private byte value;

  /**
   * A channel for messages of one size.
   *
   * @param touched whether the application fills what it sends and reads what it receives
   * @param large whether the bank has pages of 2 MB
   */
  Rig(int bytes, boolean touched, boolean large) {
    this.bytes = bytes;
    this.touched = touched;
    long extent = Math.max(large ? Crossover.LARGE : EXTENT_LEAST, bytes);
    ModesConfig config = new ModesConfig(64, 12, 0, extent, 0, large, Crossover.at(1));
    sender = new ModeSender(config);
    receiver = new ModeReceiver(sender.path(), config);
    ownOut = arena.allocate(extent, 4096);
    ownIn = arena.allocate(extent, 4096);
    ownOut.fill((byte) 1);
    ownIn.fill((byte) 1);
    direct = sender.direct();
    pagesOut = sender.pages();
    pagesOther = sender.pages();
    pagesIn = receiver.pages(extent);
    direct.fill((byte) 1);
    pagesOut.fill((byte) 1);
    pagesOther.fill((byte) 1);
  }

  /** Why VIRTUAL cannot be measured; empty when it can. */
  String virtualRefusal() {
    return sender.virtualRefusal();
  }

  private void fill(MemorySegment memory) {
    if (touched) {
      memory.asSlice(0, bytes).fill(value++);
    }
  }

  private void read(MemorySegment memory, long offset) {
    if (touched) {
      for (long at = 0; at < bytes; at += PIECE_BYTES) {
        MemorySegment.copy(memory, offset + at, near, 0, Math.min(PIECE_BYTES, bytes - at));
      }
    }
  }

  private static void check(boolean condition) {
    if (!condition) {
      throw new IllegalStateException("a message was refused or did not arrive");
    }
  }

  /** Messages a second that leave; the other end passes over each. */
  double sends(SendMode mode, int count) {
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      switch (mode) {
        case PIO -> sendInPackets();
        case EXCHANGE -> exchange();
        case COPY, VIRTUAL -> send(mode, ownOut);
        case DIRECT -> send(mode, direct);
      }
    }
    return count * NS / (System.nanoTime() - start);
  }

  private void send(SendMode mode, MemorySegment from) {
    fill(from);
    long ticket = sender.send(mode, from, 0, bytes);
    check(ticket >= 0 && receiver.skip() && sender.isReady(ticket));
  }

  /** As the paper does: a message longer than a packet is several. */
  private void sendInPackets() {
    fill(ownOut);
    for (int at = 0; at < bytes; at += ModesConfig.PIO_BYTES_MAX) {
      int length = Math.min(ModesConfig.PIO_BYTES_MAX, bytes - at);
      check(sender.send(SendMode.PIO, ownOut, at, length) == 0 && receiver.skip());
    }
  }

  /** With the end of the last exchange: the pages become writable again. */
  private void exchange() {
    check(sender.reown(pagesOut));
    send(SendMode.EXCHANGE, pagesOut);
  }

  /** Messages a second that arrive; the other end only says where they are. */
  double receives(ReceiveMode mode, int count) {
    if (mode == ReceiveMode.EXCHANGE && bytes >= 4096) {
      return exchanges(count);
    }
    SendMode out = mode == ReceiveMode.VIRTUAL ? SendMode.VIRTUAL : SendMode.DIRECT;
    MemorySegment from = mode == ReceiveMode.VIRTUAL ? ownOut : direct;
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      check(sender.send(out, from, 0, bytes) >= 0);
      if (mode == ReceiveMode.DIRECT) {
        check(receiver.borrow() == bytes);
        read(receiver.borrowed(), receiver.borrowedAt());
        receiver.giveBack();
      } else {
        check(receiver.receive(mode, ownIn, 0, bytes) == bytes);
        read(ownIn, 0);
      }
    }
    return count * NS / (System.nanoTime() - start);
  }

  /** Sending pages in turn, which is not counted, and mapping them, which is. */
  private double exchanges(int count) {
    long ns = 0;
    for (int i = 0; i < count; i++) {
      other = !other;
      MemorySegment from = other ? pagesOther : pagesOut;
      check(sender.send(SendMode.EXCHANGE, from, 0, bytes) == 0);
      long start = System.nanoTime();
      check(receiver.receive(ReceiveMode.EXCHANGE, pagesIn, 0, bytes) == bytes);
      read(pagesIn, 0);
      ns += System.nanoTime() - start;
    }
    receiver.release(pagesIn);
    return count * NS / ns;
  }

  /** The floor of both: a copy from one buffer to another. */
  double copies(boolean sending, int count) {
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      if (sending) {
        fill(ownOut);
        MemorySegment.copy(ownOut, 0, ownIn, 0, bytes);
      } else {
        MemorySegment.copy(ownOut, 0, ownIn, 0, bytes);
        read(ownIn, 0);
      }
    }
    return count * NS / (System.nanoTime() - start);
  }

  @Override
  public void close() {
    receiver.close();
    sender.close();
    arena.close();
  }
}
