package io.busbar.bench.contest;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicCapability;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/**
 * Busbar: a message is as many frames as it needs. As with every contender, what arrived is in
 * private memory at the end, by one copy: udp's frames are there already, where the kernel copied
 * them; those of shared memory are copied out of the ring.
 */
final class OverNic implements Contender {
  private static final int BUDGET = 64;

  private final Nic nic;
  private final Function<String, NicAddress> parse;
  private final boolean reliable;
  private final MemorySegment out = Arena.ofAuto().allocate(1 << 20, 4096);
  private final MemorySegment in = Arena.ofAuto().allocate(1 << 20, 4096);
  private final FrameReceiver receiver = this::onFrame;
  private int peer;
  private long arrived;

  OverNic(Nic nic, Function<String, NicAddress> parse) {
    this.nic = nic;
    this.parse = parse;
    this.reliable = nic.capabilities().contains(NicCapability.RELIABLE);
    nic.register(out);
  }

  @Override
  public String address() {
    return nic.address().text();
  }

  @Override
  public void connect(String other) {
    peer = nic.open(parse.apply(other));
  }

  private void onFrame(int from, MemorySegment memory, long offset, int length, long frame) {
    if (reliable || length == Long.BYTES) {
      MemorySegment.copy(memory, offset, in, 0, length);
    }
    arrived += length;
  }

  private void send(int bytes, int frameBytes) {
    for (int at = 0; at < bytes; ) {
      int now = Math.min(bytes - at, frameBytes);
      while (!Nic.isTicket(nic.transmit(peer, out, at, now))) {
        nic.flush();
        Thread.onSpinWait();
      }
      at += now;
    }
    nic.flush();
  }

  private void receive(int bytes) {
    for (long until = arrived + bytes; arrived < until; ) {
      if (nic.poll(receiver, BUDGET) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  private int frameBytes(int bytes) {
    return Math.min(bytes, nic.frameBytesMax(peer));
  }

  @Override
  public void ask(int bytes, int count, long[] roundTripsNs) {
    int frame = frameBytes(bytes);
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      send(bytes, frame);
      receive(bytes);
      roundTripsNs[i] = System.nanoTime() - start;
    }
  }

  @Override
  public void answer(int bytes, int count) {
    int frame = frameBytes(bytes);
    for (int i = 0; i < count; i++) {
      receive(bytes);
      send(bytes, frame);
    }
  }

  @Override
  public void flood(int bytes, int count) {
    int frame = frameBytes(bytes);
    if (reliable) {
      for (int i = 0; i < count; i++) {
        while (!Nic.isTicket(nic.transmit(peer, out, 0, frame))) {
          nic.flush();
          Thread.onSpinWait();
        }
      }
      nic.flush();
      receive(1);
      return;
    }
    Window window = new Window(frame);
    long all = (long) bytes * count;
    int atOnce = Math.clamp(BareUdp.CALL_BYTES_MAX / frame, 1, BareUdp.SEGMENTS_MAX) * frame;
    window.flood(all, atOnce, now -> flush(now, frame), () -> hear(window));
  }

  private void flush(int bytes, int frame) {
    for (int at = 0; at < bytes; at += frame) {
      while (!Nic.isTicket(nic.transmit(peer, out, at, Math.min(bytes - at, frame)))) {
        nic.flush();
      }
    }
    nic.flush();
  }

  private void hear(Window window) {
    if (nic.poll(receiver, 1) > 0) {
      window.onTold(in.get(JAVA_LONG_UNALIGNED, 0));
    } else {
      window.onSilence();
    }
  }

  @Override
  public void sink(int bytes, int count) {
    long all = (long) bytes * count;
    if (reliable) {
      for (long until = arrived + all; arrived < until; ) {
        if (nic.poll(receiver, BUDGET) == 0) {
          Thread.onSpinWait();
        }
      }
      send(1, 1);
      return;
    }
    Window window = new Window(frameBytes(bytes));
    while (!window.isTaken(all)) {
      long before = arrived;
      if (nic.poll(receiver, BUDGET) > 0 && window.onTaken(arrived - before, all)) {
        out.set(JAVA_LONG_UNALIGNED, 0, window.taken());
        send(Long.BYTES, Long.BYTES);
      }
    }
  }

  @Override
  public void close() {
    nic.close();
  }
}
