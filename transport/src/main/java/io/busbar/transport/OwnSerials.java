package io.busbar.transport;

/** Numbers the FIRSTs sent to one life of a peer, and bounds how many are unanswered. */
final class OwnSerials {
  private final FirstSerials answered = new FirstSerials();
  private long next = 1;
  private long lowestUnanswered = 1;

  /** Whether one more would stay inside what the responder remembers. */
  boolean hasNext() {
    return next - lowestUnanswered < FirstSerials.WINDOW - 1;
  }

  long next() {
    return next++;
  }

  /** The association with this serial was answered, or given up. */
  void onAnswered(long serial) {
    answered.use(serial);
    while (lowestUnanswered < next && answered.isUsed(lowestUnanswered)) {
      lowestUnanswered++;
    }
  }
}
