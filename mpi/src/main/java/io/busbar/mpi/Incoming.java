package io.busbar.mpi;

import io.busbar.messages.InMessage;
import io.busbar.messages.ResumableHandler.Progress;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** Payloads that come in pieces, because they were asked for or announced. The extractor's. */
final class Incoming {
  /** In front of a payload: a name, and whose. */
  static final int HEAD_BYTES = 8;

  /** The name is that of a receive, which has asked. */
  static final int ASKED = 0;

  /** The name is the sender's own, as the envelope had it. */
  static final int ANNOUNCED = 1;

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

  /** A payload will come from a node without being asked for. */
  void announce(int node, int name, Sink sink) {
    peers[node].announced.put(name, sink);
  }

  /** Some of a payload has come. */
  Progress onData(InMessage in, int from) {
    last = in;
    Sink sink = reading.get(in);
    if (sink == null) {
      if (in.available() < HEAD_BYTES) {
        return Progress.CONTINUE;
      }
      int name = in.receiveInt();
      int whose = in.receiveInt();
      sink = whose == ASKED ? matching.receive(name) : peers[from].announced.remove(name);
      if (sink == null) {
        return Progress.DONE; // nobody wants it any more
      }
      reading.put(in, sink);
    }
    if (!sink.takeSome(in)) {
      return Progress.CONTINUE;
    }
    reading.remove(in);
    if (sink instanceof Arrived arrived) {
      Receive receive = matching.complete(arrived);
      if (receive != null) {
        mail.deliver(receive, arrived);
      }
    }
    return Progress.DONE;
  }

  /** The one that was looked at last was broken off. */
  void onBroken(MpiError why) {
    Sink sink = last == null ? null : reading.remove(last);
    if (sink != null) {
      matching.breakOff(sink, why);
    }
  }

  /** A node is gone: what it has announced and not begun will not come. */
  void onGone(int node, MpiError why) {
    peers[node].announced.values().forEach(sink -> matching.breakOff(sink, why.again()));
    peers[node].announced.clear();
  }
}
