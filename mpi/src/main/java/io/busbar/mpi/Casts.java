package io.busbar.mpi;

import io.busbar.messages.Handler;
import io.busbar.messages.MessageException;
import io.busbar.messages.MessageException.Mistake;
import io.busbar.messages.Messages;
import io.busbar.mpi.MpiError.Kind;
import io.busbar.wire.MpiEnvelope;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Messages that go to all other ranks of the world at once, by the bus. They are received as others
 * are. A sender is ahead of who has not received them by no more than a credit of their own, so
 * that messages to one rank do not use it up. Any thread.
 */
final class Casts {
  /** What all other ranks together may keep of casts that nobody has asked for. */
  private static final long CREDIT_BYTES = 64L << 20;

  private static final long CREDIT_BYTES_MIN = 256L << 10;

  /** More than what the bus has on its way, so that who keeps up is never waited for. */
  private static final int TIMES_CREDIT = 4;

  /** In which parts credit is given back; a cast costs one of them at most. */
  private static final int PARTS = 4;

  private final Mail mail;
  private final Messages fm;
  private final Handler cast;
  private final Peer[] peers;
  private final int self;
  private final AtomicLong sent = new AtomicLong();

  Casts(Mail mail, Messages fm, Handler cast, Peer[] peers, int self) {
    this.mail = mail;
    this.fm = fm;
    this.cast = cast;
    this.peers = peers;
    this.self = self;
  }

  /** The credit of one rank of so many with another one, where others have this much at most. */
  static Credit credit(int size, long creditBytesMax) {
    long each = Math.max(CREDIT_BYTES_MIN, CREDIT_BYTES / Math.max(1, size - 1));
    return new Credit(Math.min(TIMES_CREDIT * creditBytesMax, each), PARTS);
  }

  /** Whether this rank can send to all others for little more than to one. */
  boolean areCheap() {
    return fm.castsAtOnce();
  }

  /** How many this rank has sent. */
  long sent() {
    return sent.get();
  }

  /**
   * Sends a short payload to all others, if there is credit with each of them. When this returns,
   * the memory may be changed.
   *
   * @return false when there is no credit with one of them: nothing was sent
   */
  boolean trySend(
      int context, int source, int tag, @Nullable Object memory, long at, int count, Datatype of) {
    long bytes = count * of.size();
    if (!spend(bytes)) {
      mail.look(); // credit may have come
      if (!spend(bytes)) {
        return false;
      }
    }
    Letter letter = mail.takeLetter();
    letter.address(context, mail.matching().epoch(), MpiEnvelope.CAST, source, tag, bytes, 0, 0);
    letter.enclose(memory, at, count, of);
    try {
      fm.send(Messages.EVERYONE, cast, letter.length(), letter);
    } catch (MessageException e) {
      if (e.mistake() == Mistake.TIMED_OUT) {
        unspend(bytes);
        throw Waiting.interrupted(e);
      }
      throw new MpiError(Kind.OTHER, "cannot send to all ranks: " + e.getMessage(), e);
    } finally {
      mail.giveBack(letter);
    }
    long _ = sent.incrementAndGet();
    checkAllThere();
    return true;
  }

  /** With each who is there, or with nobody. The end of each will be noticed from now on. */
  private boolean spend(long bytes) {
    for (int node = 0; node < peers.length; node++) {
      if (isThere(node) && !peers[node].casts.spend(bytes)) {
        refund(node, bytes);
        return false;
      }
    }
    for (int node = 0; node < peers.length; node++) {
      if (isThere(node)) {
        int _ = peers[node].castsOut.incrementAndGet();
        mail.greet(node);
      }
    }
    return true;
  }

  /** It was not sent. */
  private void unspend(long bytes) {
    for (int node = 0; node < peers.length; node++) {
      if (isThere(node)) {
        int _ = peers[node].castsOut.decrementAndGet();
      }
    }
    refund(peers.length, bytes);
  }

  private void refund(int upTo, long bytes) {
    for (int node = 0; node < upTo; node++) {
      if (isThere(node)) {
        peers[node].casts.refund(bytes);
      }
    }
  }

  private boolean isThere(int node) {
    return node != self && peers[node].gone == null;
  }

  /** Those who are there have it; that one is missing is the caller's to know. */
  private void checkAllThere() {
    for (Peer peer : peers) {
      String gone = peer.gone;
      if (gone != null && !mail.matching().hasFinalised(peer)) {
        throw new MpiError(Kind.PROC_FAILED, gone);
      }
    }
  }
}
