package io.busbar.bench.contest;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.udp.UdpAddress;
import io.busbar.fabric.udp.UdpConfig;
import io.busbar.fabric.udp.UdpNic;
import io.busbar.transport.Criteria;
import io.busbar.transport.Ending;
import io.busbar.transport.FrameClaims;
import io.busbar.transport.FrameSink;
import io.busbar.transport.Offer;
import io.busbar.transport.Release;
import io.busbar.transport.Service;
import io.busbar.transport.Transport;
import io.busbar.transport.TransportConfig;
import io.busbar.transport.Upcalls;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Seal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Busbar: one association of the transport's over udp, without the node above. A stream keeps
 * order, repairs, and stops when the receiver has no room; datagrams do nothing of that, so a flood
 * of them is kept free of loss by the same window as that of a bare socket. What has arrived stays
 * where the kernel copied it.
 */
final class OverTransport implements Contender {
  private static final int BUDGET = 64;
  private static final int PORT = 1;
  private static final long NONE = 0;
  private static final long PATIENCE_NS = 10_000_000_000L;

  /** As long as a node lets a path's queue become. */
  private static final long QUEUE_TARGET_NS = 5_000_000;

  /**
   * What is assumed of datagrams, whose answers are not measured: with a node's millisecond they
   * would be paced at twenty frames in that time, and the pace would be measured, not their cost.
   */
  private static final long DATAGRAM_ROUND_TRIP_NS = 1_000;

  /** The clock goes ahead by this at the end of a run: what waits for data to ride on leaves. */
  private static final long AHEAD_NS = 1_000_000;

  private final Nic nic;
  private final boolean asks;
  private final Service service;
  private final Transport transport;
  private final MemorySegment out = Arena.ofAuto().allocate(1 << 20, 4096);
  private final FrameReceiver receiver = this::onFrame;
  private final FrameSink sink = this::transmit;

  /** Time passes while something is done: what is said again after a silence does not come up. */
  private long clockNs = 1;

  private long sinceNs;
  private int number;
  private long association = NONE;
  private boolean open;
  private boolean dirty;
  private long outstanding;
  private long arrived;
  private long told;
  private String trouble = "";

  OverTransport(Place place, Service service) {
    this.asks = place.asks();
    this.service = service;
    UdpAddress here = UdpAddress.parse(place.host() + ":0");
    nic = new UdpNic(UdpConfig.builder().bind(here).build(), NicEvents.NONE);
    TransportConfig.Builder config =
        TransportConfig.builder(asks ? 0 : 1, ProcessHandle.current().pid())
            .queueTargetNs(QUEUE_TARGET_NS);
    if (service == Service.DATAGRAM) {
      config.rttInitialNs(DATAGRAM_ROUND_TRIP_NS);
    }
    transport = new Transport(config.build(), new User(), new Claims(), Seal.NONE);
    nic.register(out);
  }

  @Override
  public String address() {
    return nic.address().text();
  }

  @Override
  public void connect(String other) {
    number = nic.open(UdpAddress.parse(other));
    begin();
    if (asks) {
      association = transport.open(nowNs(), 1, 1, service, PORT, PORT, 0, 0);
      if (service == Service.DATAGRAM) {
        send(1); // what is never acknowledged is open when something has come
      }
    } else {
      int _ = transport.listen(Criteria.port(1, PORT));
    }
    long untilNs = nowNs() + PATIENCE_NS;
    while (!open) {
      int _ = drive();
      checkPatience(untilNs);
    }
    end();
  }

  // Time and frames.

  private void begin() {
    sinceNs = System.nanoTime() - clockNs;
  }

  private long nowNs() {
    return System.nanoTime() - sinceNs;
  }

  /** What was given has left, and is acknowledged if that is promised. */
  private void end() {
    long untilNs = nowNs() + PATIENCE_NS;
    while (outstanding > 0) {
      int _ = drive();
      checkPatience(untilNs);
    }
    clockNs = nowNs() + AHEAD_NS;
    sinceNs = System.nanoTime() - clockNs;
    emit();
  }

  private void checkPatience(long untilNs) {
    if (!trouble.isEmpty() || nowNs() > untilNs) {
      throw new IllegalStateException("the other end does not answer " + trouble);
    }
  }

  private boolean transmit(int peer, FrameBuilder frame) {
    dirty = true;
    return nic.transmit(number, frame) != Nic.FULL;
  }

  private void onFrame(int from, MemorySegment memory, long offset, int length, long frame) {
    transport.onFrame(nowNs(), memory, offset, length, frame, sink);
  }

  private int drive() {
    int frames = nic.poll(receiver, BUDGET);
    emit();
    return frames;
  }

  private void emit() {
    do {
      long _ = transport.poll(nowNs(), sink);
      if (dirty) {
        dirty = nic.flush() > 0;
      }
    } while (!dirty && transport.hasFramesWaiting());
  }

  private final class Claims implements FrameClaims {
    @Override
    public boolean claim(long frame) {
      return nic.claim(frame);
    }

    @Override
    public void release(long frame) {
      nic.release(frame);
    }
  }

  /** Who counts what comes. */
  private final class User implements Upcalls {
    @Override
    public int onOffer(int context, Offer offer) {
      return ACCEPT;
    }

    @Override
    public void onAccepted(long accepted, int context, Offer offer) {
      association = accepted;
      open = true;
    }

    @Override
    public void onOpened(long opened) {
      open = true;
    }

    @Override
    public void onBytes(
        long from, MemorySegment segment, long at, int length, boolean endOfMessage) {
      arrived += length;
      if (service == Service.STREAM) {
        transport.consumed(nowNs(), from, length);
      } else if (length == Long.BYTES) {
        told = segment.get(JAVA_LONG_UNALIGNED, at);
      }
    }

    @Override
    public void onReleased(long from, long token, Release how) {
      outstanding--;
    }

    @Override
    public void onSendable(long from) {}

    @Override
    public void onReadEnd(long from) {}

    @Override
    public void onWriteEnd(long from, long undeliveredBytes) {}

    @Override
    public void onEnded(long from, Ending why, long undeliveredBytes, int detail) {
      trouble = "the association ended: " + why;
    }

    @Override
    public void onPeerRestarted(int peer, long incarnation) {}
  }

  // Messages.

  private int pieceBytes(int bytes) {
    return service == Service.STREAM ? bytes : Math.min(bytes, transport.datagramBytesMax());
  }

  /** Gives bytes to send; a datagram is never longer than a frame. */
  private void send(int bytes) {
    int piece = pieceBytes(bytes);
    for (int at = 0; at < bytes; ) {
      int now = Math.min(bytes - at, piece);
      give(at, now, at + now == bytes);
      at += now;
    }
    emit();
  }

  private void give(int at, int length, boolean last) {
    while (!transport.trySend(nowNs(), association, out, at, length, 0, last)) {
      int _ = drive();
    }
    outstanding++;
  }

  private void receive(long bytes) {
    long untilNs = nowNs() + PATIENCE_NS;
    for (long until = arrived + bytes; arrived < until; ) {
      if (drive() == 0) {
        Thread.onSpinWait();
        checkPatience(untilNs);
      }
    }
  }

  @Override
  public void ask(int bytes, int count, long[] roundTripsNs) {
    begin();
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      send(bytes);
      receive(bytes);
      roundTripsNs[i] = System.nanoTime() - start;
    }
    end();
  }

  @Override
  public void answer(int bytes, int count) {
    begin();
    for (int i = 0; i < count; i++) {
      receive(bytes);
      send(bytes);
    }
    end();
  }

  @Override
  public void flood(int bytes, int count) {
    begin();
    if (service == Service.STREAM) {
      for (int i = 0; i < count; i++) {
        send(bytes);
      }
      receive(1);
    } else {
      floodDatagrams(bytes, count);
    }
    end();
  }

  private void floodDatagrams(int bytes, int count) {
    int piece = pieceBytes(bytes);
    int atOnce = Math.clamp(BareUdp.CALL_BYTES_MAX / piece, 1, BareUdp.SEGMENTS_MAX) * piece;
    Window window = new Window(piece);
    long all = (long) bytes * count;
    told = 0;
    window.flood(all, atOnce, now -> sendDatagrams(now, piece), () -> hear(window));
  }

  private void sendDatagrams(int bytes, int piece) {
    for (int at = 0; at < bytes; at += piece) {
      give(at, Math.min(bytes - at, piece), true);
    }
    emit();
  }

  private void hear(Window window) {
    if (drive() > 0) {
      window.onTold(told);
    } else {
      window.onSilence();
    }
  }

  @Override
  public void sink(int bytes, int count) {
    begin();
    long all = (long) bytes * count;
    if (service == Service.STREAM) {
      receive(all);
      send(1);
    } else {
      Window window = new Window(pieceBytes(bytes));
      while (!window.isTaken(all)) {
        long before = arrived;
        if (drive() > 0 && window.onTaken(arrived - before, all)) {
          out.set(JAVA_LONG_UNALIGNED, 0, window.taken());
          send(Long.BYTES);
        }
      }
    }
    end();
  }

  @Override
  public void close() {
    nic.close();
  }
}
