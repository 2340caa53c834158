package io.busbar.lab.stack;

/** Frames stay within what the messages explain. */
record StormCheck(Books books, int frameBytes, long probes) {
  /** Frames that a lane may cost beside its messages: opening, asking, answering. */
  private static final long FRAMES_PER_LANE = 400;

  /** Frames per frame of data: one, its status, and what repair costs under the worst of plans. */
  private static final long FRAMES_PER_DATA = 6;

  void check(long frames) {
    long needed = 0;
    for (Book book : books.all()) {
      needed += 4L * book.sent() + book.givenBytes() / frameBytes;
    }
    long most = probes + FRAMES_PER_LANE * books.all().size() + FRAMES_PER_DATA * needed;
    Promise.check(
        frames <= most,
        "no frame storms",
        "%d frames for %d of messages in %d books",
        frames,
        needed,
        books.all().size());
  }
}
