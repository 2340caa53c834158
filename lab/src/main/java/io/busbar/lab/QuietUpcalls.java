package io.busbar.lab;

import io.busbar.transport.Ending;
import io.busbar.transport.Offer;
import io.busbar.transport.Release;
import io.busbar.transport.Upcalls;
import java.lang.foreign.MemorySegment;

/** Takes every offer and ignores everything else; an end that was not asked for is an error. */
public class QuietUpcalls implements Upcalls {
  /** A program that does nothing. */
  public QuietUpcalls() {}

  @Override
  public int onOffer(int context, Offer offer) {
    return ACCEPT;
  }

  @Override
  public void onAccepted(long association, int context, Offer offer) {}

  @Override
  public void onOpened(long association) {}

  @Override
  public void onBytes(
      long association, MemorySegment segment, long at, int length, boolean endOfMessage) {}

  @Override
  public void onReleased(long association, long token, Release how) {}

  @Override
  public void onSendable(long association) {}

  @Override
  public void onReadEnd(long association) {}

  @Override
  public void onWriteEnd(long association, long undeliveredBytes) {}

  @Override
  public void onEnded(long association, Ending why, long undeliveredBytes, int detail) {
    throw new IllegalStateException("an association ended as " + why);
  }

  @Override
  public void onPeerRestarted(int peer, long incarnation) {
    throw new IllegalStateException("node " + peer + " was said to have restarted");
  }
}
