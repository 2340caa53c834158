package io.busbar.mpi;

import io.busbar.messages.InMessage;
import io.busbar.messages.ResumableHandler.Progress;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** Payloads that come in pieces, because they were asked for or announced. The extractor's. */
final class Incoming {
  /** In front of a payload, or of a part of one: a name, and nothing. */
  static final int HEAD_BYTES = 8;

  private static final ValueLayout.OfLong HEAD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Mail mail;
  private final Matching matching;
  private final Peer[] peers;
  private final IdentityHashMap<InMessage, Sink> reading = new IdentityHashMap<>();

  /** The one that was looked at last: if it is broken off, that is told next. */
  private @Nullable InMessage last;

  Incoming(Mail mail, Matching matching, Peer[] peers) {
    this.mail = mail;
    this.matching = matching;
    this.peers = peers;
  }

  static void writeHead(MemorySegment into, long at, int name) {
    into.set(HEAD, at, Integer.toUnsignedLong(name));
  }

  private static int receiveHead(InMessage in) {
    return (int) in.receiveLong();
  }

  /** The first part of a payload has come with its envelope, under which others follow. */
  void onFirstPart(InMessage in, int node, int name, Sink sink) {
    if (sink.takeSome(in)) {
      onTaken(sink); // there is room for no more
    } else {
      peers[node].announced.put(name, sink);
    }
  }

  /** A part of a payload has come that was not asked for. */
  void onPart(InMessage in, int from) {
    int name = receiveHead(in);
    Sink sink = peers[from].announced.get(name);
    if (sink != null && sink.takeSome(in)) { // otherwise nobody wants it any more, or more comes
      peers[from].announced.remove(name);
      onTaken(sink);
    }
  }

  private void onTaken(Sink sink) {
    if (sink instanceof Arrived arrived) {
      Receive receive = matching.complete(arrived);
      if (receive != null) {
        mail.deliver(receive, arrived);
      }
    }
  }

  /** Some of a payload has come that was asked for. */
  Progress onData(InMessage in, int from) {
    last = in;
    Sink sink = reading.get(in);
    if (sink == null) {
      if (in.available() < HEAD_BYTES) {
        return Progress.CONTINUE;
      }
      sink = matching.receive(receiveHead(in));
      if (sink == null) {
        return Progress.DONE; // nobody wants it any more
      }
      reading.put(in, sink);
    }
    if (!sink.takeSome(in)) {
      return Progress.CONTINUE;
    }
    reading.remove(in);
    return Progress.DONE;
  }

  /** The one that was looked at last was broken off. */
  void onBroken(MpiError why) {
    Sink sink = last == null ? null : reading.remove(last);
    if (sink != null) {
      matching.breakOff(sink, why);
    }
  }

  /** A node is gone: parts that have not come will not. */
  void onGone(int node, MpiError why) {
    peers[node].announced.values().forEach(sink -> matching.breakOff(sink, why.again()));
    peers[node].announced.clear();
  }
}
