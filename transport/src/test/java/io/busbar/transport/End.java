package io.busbar.transport;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One end of a {@link Pair}: a transport, and a user who writes down every upcall. */
final class End implements Upcalls {
  /** A buffer that came back. */
  record Released(long association, long token, Release how) {}

  /** An association that is over. */
  record Ended(long association, Ending why, long undelivered, int detail) {}

  final Pair pair;
  final int node;
  Transport transport;

  final List<String> events = new ArrayList<>();
  final List<Long> accepted = new ArrayList<>();
  final List<Long> opened = new ArrayList<>();
  final List<Offer> offers = new ArrayList<>();
  final List<Released> released = new ArrayList<>();
  final List<Ended> ended = new ArrayList<>();
  final List<Long> readEnds = new ArrayList<>();
  final Map<Long, Long> writeEnds = new HashMap<>();
  final List<Integer> messageEnds = new ArrayList<>();
  final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  final List<Integer> pieces = new ArrayList<>();
  final List<Long> echoes = new ArrayList<>();
  int sendable;

  /** What {@code onOffer} says. */
  int verdict = ACCEPT;

  /** Whether delivered bytes are given back at once. */
  boolean consumes = true;

  boolean datagrams;
  Consumer<Long> duringBytes = association -> {};
  Consumer<Released> duringRelease = buffer -> {};
  Consumer<Ended> duringEnd = end -> {};
  Consumer<Long> duringAccept = association -> {};

  private long nextToken;

  End(Pair pair, TransportConfig config, FrameClaims claims) {
    this.pair = pair;
    node = config.node();
    transport = new Transport(config, this, claims, io.busbar.wire.Seal.NONE);
  }

  /** Bytes whose values follow from a seed, in native memory. */
  static MemorySegment pattern(int length, int seed) {
    MemorySegment segment = Arena.ofAuto().allocate(Math.max(1, length));
    for (int i = 0; i < length; i++) {
      segment.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + (i >>> 8) * 7 + seed));
    }
    return segment.asSlice(0, length);
  }

  static byte[] patternBytes(int length, int seed) {
    return pattern(length, seed).toArray(ValueLayout.JAVA_BYTE);
  }

  long open(End to) {
    return open(to, Service.STREAM, 0);
  }

  long open(End to, Service service, int statusEvery) {
    return transport.open(pair.nowNs, to.node, 7, service, 1, 80, statusEvery, 99);
  }

  boolean send(long association, MemorySegment segment, boolean ends) {
    return transport.trySend(
        pair.nowNs, association, segment, 0, (int) segment.byteSize(), nextToken++, ends);
  }

  void send(long association, int length, int seed) {
    if (!send(association, pattern(length, seed), false)) {
      throw new AssertionError("the queue is full");
    }
  }

  void closeWrite(long association) {
    transport.closeWrite(pair.nowNs, association);
  }

  void abort(long association) {
    transport.abort(pair.nowNs, association);
  }

  long count(Count count) {
    return transport.counters().get(count);
  }

  /** The only association that was accepted. */
  long accepted() {
    return accepted.getFirst();
  }

  @Override
  public int onOffer(int context, Offer offer) {
    offers.add(offer);
    return verdict;
  }

  @Override
  public void onAccepted(long association, int context, Offer offer) {
    events.add("accepted");
    accepted.add(association);
    duringAccept.accept(association);
  }

  @Override
  public void onOpened(long association) {
    events.add("opened");
    opened.add(association);
  }

  @Override
  public void onBytes(
      long association, MemorySegment segment, long at, int length, boolean endOfMessage) {
    bytes.writeBytes(segment.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
    pieces.add(length);
    if (endOfMessage) {
      messageEnds.add(bytes.size());
    }
    if (consumes && !datagrams) {
      transport.consumed(pair.nowNs, association, length);
    }
    duringBytes.accept(association);
  }

  @Override
  public void onReleased(long association, long token, Release how) {
    Released buffer = new Released(association, token, how);
    released.add(buffer);
    duringRelease.accept(buffer);
  }

  @Override
  public void onSendable(long association) {
    sendable++;
  }

  @Override
  public void onReadEnd(long association) {
    events.add("readEnd");
    readEnds.add(association);
  }

  @Override
  public void onWriteEnd(long association, long undeliveredBytes) {
    events.add("writeEnd " + undeliveredBytes);
    writeEnds.put(association, undeliveredBytes);
  }

  @Override
  public void onEnded(long association, Ending why, long undeliveredBytes, int detail) {
    events.add("ended " + why);
    Ended end = new Ended(association, why, undeliveredBytes, detail);
    ended.add(end);
    duringEnd.accept(end);
  }

  @Override
  public void onEcho(long nowNs, int peer, long seq) {
    echoes.add(seq);
  }

  @Override
  public void onPeerRestarted(int peer, long incarnation) {
    events.add("restarted " + incarnation);
  }
}
