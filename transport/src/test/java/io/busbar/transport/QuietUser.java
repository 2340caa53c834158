package io.busbar.transport;

import java.lang.foreign.MemorySegment;

/** A user that accepts everything and does nothing. */
class QuietUser implements Upcalls {
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
  public void onEnded(long association, Ending why, long undeliveredBytes, int detail) {}

  @Override
  public void onPeerRestarted(int peer, long incarnation) {}

  /** An association that belongs to nobody, for organs that only hold one. */
  static Association association(Upcalls upcalls, long key) {
    TransportConfig config = TransportConfig.defaults(1, 77);
    Core core = new Core(config, upcalls, FrameClaims.NONE, io.busbar.wire.Seal.NONE);
    return new StreamAssociation(new Path(core, 2, 5), 7, key, 8);
  }
}
