package io.busbar.mpi;

import io.busbar.messages.Handler;
import io.busbar.messages.MessageException;
import io.busbar.messages.Messages;
import io.busbar.messages.OutMessage;
import io.busbar.wire.MpiEnvelope;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends that could not leave at once, and payloads that leave by themselves. Whoever waits pushes
 * them as far as there is room; one thread at a time, and nobody waits for one of them.
 */
final class Outbox {
  /** What a payload goes to that leaves by itself. */
  static final Handler DATA = Handler.named("mpi.data");

  private static final int PIECE_BYTES = 56 << 10;
  private static final Send[] NONE = {};

  private final Mail mail;
  private final Matching matching;
  private final Messages fm;
  private final Peer[] peers;

  /** What has come to be done; from any thread. */
  private final ConcurrentLinkedQueue<Send> added = new ConcurrentLinkedQueue<>();

  private final ReentrantLock pusher = new ReentrantLock();

  // The pusher's.
  private final List<Send> work = new ArrayList<>();
  private long pushes;
  private final MemorySegment head = Arena.ofAuto().allocate(Incoming.HEAD_BYTES, 8);

  /** What waits for room. */
  private volatile Send[] stuck = NONE;

  Outbox(Mail mail, Matching matching, Messages fm, Peer[] peers) {
    this.mail = mail;
    this.matching = matching;
    this.fm = fm;
    this.peers = peers;
  }

  boolean isEmpty() {
    return added.isEmpty() && stuck.length == 0;
  }

  /** Whether somebody should push. */
  boolean hasWork() {
    if (!added.isEmpty()) {
      return true;
    }
    for (Send send : stuck) {
      if (fm.roomCame(send.to) != send.seenRoom) {
        return true;
      }
    }
    return false;
  }

  /** Begins a send: its envelope leaves behind those of all before it. */
  void start(Send send) {
    Peer peer = peers[send.to];
    peer.order.lock();
    try {
      if (!peer.queue.isEmpty() || !launch(send)) {
        mail.keepApart(send);
        peer.queue.add(send);
        peer.noteQueue();
        added.add(send);
      }
    } finally {
      peer.order.unlock();
    }
  }

  /** Calls a send back whose envelope has not left; whether that was so. */
  boolean callBack(Send send) {
    Peer peer = peers[send.to];
    peer.order.lock();
    try {
      if (!peer.queue.remove(send)) {
        return false;
      }
      peer.noteQueue();
    } finally {
      peer.order.unlock();
    }
    Send _ = matching.send(send.name); // it may have one since it was tried
    send.backHere();
    return true;
  }

  /** The receiver wants the payload. */
  void onAsked(Send send, int receiveName) {
    send.leave(receiveName);
    added.add(send);
  }

  /**
   * Lets an envelope leave, with its payload if it is short and there is credit; not if no room.
   */
  private boolean launch(Send send) {
    send.seenRoom = fm.roomCame(send.to);
    Peer peer = peers[send.to];
    peer.spokenTo = true;
    boolean isUnasked =
        send.bytes <= (send.sync ? Mail.SHORT_BYTES_MAX : Mail.UNASKED_BYTES_MAX)
            && peer.mail.spend(send.bytes);
    Letter letter = mail.takeLetter();
    try {
      return launch(send, isUnasked, letter);
    } catch (MessageException e) {
      Send _ = matching.send(send.name);
      send.stage = Send.Stage.OVER;
      send.fail(Mail.lost(send.to, e));
      return true;
    } finally {
      mail.giveBack(letter);
    }
  }

  private boolean launch(Send send, boolean isUnasked, Letter letter) {
    if (!isUnasked) {
      mail.keepApart(send);
    }
    boolean isWhole = isUnasked && send.bytes <= Mail.SHORT_BYTES_MAX;
    boolean follows = isUnasked && !isWhole;
    boolean answered = !isUnasked || send.sync;
    if (answered && send.name == 0) {
      send.name = matching.name(send);
    } else if (!answered && send.name != 0) {
      Send _ = matching.send(send.name); // there was no credit when it was tried before
      send.name = 0;
    }
    int name = follows ? peers[send.to].nameUnasked() : answered ? send.name : 0;
    int flags =
        (isUnasked ? 0 : MpiEnvelope.LATER)
            | (follows ? MpiEnvelope.FOLLOWS : 0)
            | (send.sync ? MpiEnvelope.SYNC : 0)
            | send.flags;
    letter.address(
        send.context,
        matching.epoch(),
        flags,
        send.by,
        send.withTag,
        send.bytes,
        name,
        send.objects);
    int first = follows ? partBytes(send) : 0;
    if (isWhole) {
      send.enclose(letter);
    } else if (follows) {
      letter.enclosePart(send.payload(), first);
    }
    send.stage = answered ? Send.Stage.OUTSIDE : Send.Stage.OVER;
    if (!fm.trySend(send.to, mail.envelopeHandler(), letter.length(), letter)) {
      send.stage = Send.Stage.QUEUED;
      if (isUnasked) {
        peers[send.to].mail.refund(send.bytes);
      }
      return false;
    }
    if (follows) {
      send.leaveInParts(name, first);
      if (sendParts(send)) {
        send.forgetPayload();
        send.over();
      } else {
        mail.keepApart(send);
        added.add(send);
      }
    } else if (!answered) {
      send.over();
    }
    return true;
  }

  /** Sends as much as there is room for; not if another thread does. */
  void push() {
    if ((added.isEmpty() && stuck.length == 0) || !pusher.tryLock()) {
      return;
    }
    try {
      for (Send next = added.poll(); next != null; next = added.poll()) {
        work.add(next);
      }
      pushes++;
      boolean _ = work.removeIf(this::advance);
      stuck = work.isEmpty() ? NONE : work.toArray(NONE);
    } finally {
      pusher.unlock();
    }
  }

  /** Whether nothing is left to do for a send now. */
  private boolean advance(Send send) {
    if (send.isDone()) {
      return true;
    }
    if (send.stage == Send.Stage.QUEUED) {
      send.seenRoom = fm.roomCame(send.to); // it need not be the first one, which is tried
      Peer peer = peers[send.to];
      if (peer.triedAt != pushes) {
        peer.triedAt = pushes;
        launchQueued(peer);
      }
      return send.stage != Send.Stage.QUEUED;
    }
    return send.stage != Send.Stage.LEAVING || sendPayload(send);
  }

  private void launchQueued(Peer peer) {
    peer.order.lock();
    try {
      Send first = peer.queue.peek();
      while (first != null && launch(first)) {
        peer.queue.remove();
        first = peer.queue.peek();
      }
      peer.noteQueue();
    } finally {
      peer.order.unlock();
    }
  }

  private boolean sendPayload(Send send) {
    try {
      send.seenRoom = fm.roomCame(send.to);
      boolean left =
          send.inParts ? sendParts(send) : isBegun(send) && sendPieces(send) && isEnded(send);
      if (!left) {
        return false;
      }
      send.forgetPayload();
      send.over();
    } catch (MessageException e) {
      send.forgetPayload();
      send.fail(Mail.lost(send.to, e));
    }
    fm.wake();
    return true;
  }

  /** Parts of a payload are of one size, but the last one. */
  private static int partBytes(Send send) {
    long parts = Math.ceilDiv(send.bytes, Mail.SHORT_BYTES_MAX);
    return (int) Math.ceilDiv(send.bytes, parts);
  }

  /** Sends parts of a payload, behind its envelope in the same lane; whether all have left. */
  private boolean sendParts(Send send) {
    MemorySegment payload = send.payload();
    int most = partBytes(send);
    Letter letter = mail.takeLetter();
    try {
      while (send.sent < send.bytes) {
        int length = (int) Math.min(most, send.bytes - send.sent);
        letter.laterPart(send.payloadName, payload, send.sent, length);
        if (!fm.trySend(send.to, mail.partHandler(), letter.length(), letter)) {
          return false;
        }
        send.sent += length;
      }
    } finally {
      mail.giveBack(letter);
    }
    return true;
  }

  private boolean isBegun(Send send) {
    OutMessage out = send.out;
    if (out == null) {
      out = fm.tryBegin(send.to, Incoming.HEAD_BYTES + send.bytes, DATA);
      send.out = out;
      send.sent = -Incoming.HEAD_BYTES;
    }
    return out != null;
  }

  private boolean sendPieces(Send send) {
    OutMessage out = send.out;
    while (out != null && send.sent < send.bytes) {
      boolean isHead = send.sent < 0;
      Incoming.writeHead(head, 0, send.payloadName);
      int length =
          isHead ? Incoming.HEAD_BYTES : (int) Math.min(PIECE_BYTES, send.bytes - send.sent);
      boolean left =
          isHead ? out.trySend(head, 0, length) : out.trySend(send.payload(), send.sent, length);
      if (!left) {
        return false;
      }
      send.sent += length;
    }
    return true;
  }

  /**
   * All bytes were given. Who had them may have left before the end was said, and if it has died
   * with them, that is told to those who wait for it.
   */
  private static boolean isEnded(Send send) {
    OutMessage out = send.out;
    try {
      return out == null || out.tryClose();
    } catch (MessageException e) {
      if (e.mistake() == MessageException.Mistake.NODE_GONE) {
        return true;
      }
      throw e;
    }
  }

  /** A rank is gone: nothing more goes there. */
  void fail(int node, MpiError why) {
    Peer peer = peers[node];
    peer.order.lock();
    try {
      peer.queue.forEach(send -> send.fail(why.again()));
      peer.queue.clear();
      peer.noteQueue();
    } finally {
      peer.order.unlock();
    }
  }
}
