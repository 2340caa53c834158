package io.busbar.lab;

import io.busbar.transport.Ending;
import io.busbar.transport.Offer;
import io.busbar.transport.Release;
import io.busbar.transport.Service;
import io.busbar.transport.Transport;
import io.busbar.transport.Upcalls;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who is above one end of a pair: it takes every offer, checks that bytes are the pattern's, and
 * writes down what it is told.
 */
final class Witness implements Upcalls {
  static final int PROTO = 9;
  static final int PORT = 42;

  /** What it was told, a line an upcall; bytes that follow each other share a line. */
  final List<String> told = new ArrayList<>();

  /** When the first bytes came. */
  long firstBytesNs = -1;

  /** Whether it gives bytes back as soon as it gets them. */
  boolean consumes = true;

  /** The association that it accepted last. */
  long accepted;

  long bytes;

  private @Nullable SimNode node;

  void attach(SimNode to) {
    node = to;
  }

  SimNode node() {
    if (node == null) {
      throw new IllegalStateException("not attached");
    }
    return node;
  }

  private Transport transport() {
    return node().transport();
  }

  /** Opens a stream to the other end of the pair. */
  long open(int peer) {
    return transport().open(node().nowNs(), peer, PROTO, Service.STREAM, 1, PORT, 0, 0);
  }

  /** Gives bytes of the flow named after the association's writer to send. */
  void send(long association, long flow, long position, int length) {
    MemorySegment buffer = MemorySegment.ofArray(new byte[length]);
    Pattern.write(buffer, 0, length, flow, position);
    boolean taken =
        transport().trySend(node().nowNs(), association, buffer, 0, length, position, false);
    if (!taken) {
      throw new IllegalStateException("the queue is full");
    }
    node().wake();
  }

  void closeWrite(long association) {
    transport().closeWrite(node().nowNs(), association);
    node().wake();
  }

  @Override
  public int onOffer(int context, Offer offer) {
    return ACCEPT;
  }

  @Override
  public void onAccepted(long association, int context, Offer offer) {
    accepted = association;
    bytes = 0;
    firstBytesNs = -1;
    told.add("accepted from " + offer.peer());
  }

  @Override
  public void onOpened(long association) {
    told.add("opened");
  }

  /** The flow is the other end's node. */
  @Override
  public void onBytes(
      long association, MemorySegment segment, long at, int length, boolean endOfMessage) {
    long flow = 1L - node().id();
    Violation.check(
        Pattern.matches(segment, at, length, flow, bytes),
        "once and in order",
        "%d other bytes than those at %d",
        length,
        bytes);
    firstBytesNs = firstBytesNs < 0 ? node().nowNs() : firstBytesNs;
    bytes += length;
    if (!told.isEmpty() && told.getLast().endsWith(" bytes")) {
      told.removeLast();
    }
    told.add(bytes + " bytes");
    if (consumes) {
      transport().consumed(node().nowNs(), association, length);
    }
  }

  @Override
  public void onReleased(long association, long token, Release how) {
    if (how != Release.DELIVERED) {
      told.add("released " + how);
    }
  }

  @Override
  public void onSendable(long association) {
    told.add("sendable");
  }

  @Override
  public void onReadEnd(long association) {
    told.add("read end");
  }

  @Override
  public void onWriteEnd(long association, long undeliveredBytes) {
    told.add("write end, undelivered " + undeliveredBytes);
  }

  @Override
  public void onEnded(long association, Ending why, long undeliveredBytes, int detail) {
    told.add("ended " + why);
  }

  @Override
  public void onPeerRestarted(int peer, long incarnation) {
    told.add("restarted " + peer);
  }
}
