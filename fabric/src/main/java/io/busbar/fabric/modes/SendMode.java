package io.busbar.fabric.modes;

/** How a message leaves the sender's memory, and when that memory may be written to again. */
public enum SendMode {
  /**
   * The processor stores control and data into the interface: least work for short messages, and at
   * most {@link ModesConfig#PIO_BYTES_MAX} bytes. Reuse at return.
   */
  PIO(true),
  /**
   * The data is copied to memory that both ends have; where the receiver has posted a buffer there,
   * straight into that. Reuse at return.
   */
  COPY(true),
  /**
   * The data was written to memory that both ends have, from {@link ModeSender#direct}: nothing is
   * moved. Any other native memory is copied. Reuse after {@link ModeSender#isReady}.
   */
  DIRECT(false),
  /**
   * The receiver fetches the data from wherever it is; where it may not, the data is copied. Reuse
   * after {@link ModeSender#isReady}.
   */
  VIRTUAL(false),
  /**
   * The pages of {@link ModeSender#pages} are given away, and copied on write. Reuse at return; who
   * waits for {@link ModeSender#reown} before writing saves the copies. What is not page-aligned,
   * not from such pages, or short is copied.
   */
  EXCHANGE(true);

  private final boolean reusableAtReturn;

  SendMode(boolean reusableAtReturn) {
    this.reusableAtReturn = reusableAtReturn;
  }

  /** Whether the memory may be written to when the call returns, whatever it returned. */
  public boolean isReusableAtReturn() {
    return reusableAtReturn;
  }
}
