package io.busbar.fabric.modes;

/** How a message reaches the receiver's memory, and where it waits until then. */
public enum ReceiveMode {
  /** It is copied out of the channel, where it waited. Into any memory. */
  COPY(true),
  /**
   * It is used where it arrived: lent by {@link ModeReceiver#borrow}; or a buffer from {@link
   * ModeReceiver#inbound} is posted, and senders that copy write into it. Other native memory is
   * copied into. What is posted has to fit.
   */
  DIRECT(false),
  /**
   * It is fetched from the sender's own memory straight into this one, which is native. Posted, or
   * else the sender waits until it is received, or until {@link ModeReceiver#poll} buffers it.
   */
  VIRTUAL(false),
  /**
   * The pages that it arrived in take the place of pages from {@link ModeReceiver#pages}, which go
   * back to the channel. What is not page-aligned, not such pages, or short is copied.
   */
  EXCHANGE(true);

  private final boolean buffered;

  ReceiveMode(boolean buffered) {
    this.buffered = buffered;
  }

  /** Whether a message can arrive before the receiver has said where it is to go. */
  public boolean isBuffered() {
    return buffered;
  }
}
