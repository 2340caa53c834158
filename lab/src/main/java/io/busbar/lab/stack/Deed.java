package io.busbar.lab.stack;

/** What is done with a message where it arrives: each deed has a handler. */
enum Deed {
  /** It is four words, and is read. */
  WORDS(1),
  /** It is read. */
  TAKE(2),
  /** A part of it is read. */
  HALF(3),
  /** It is answered. */
  REPLY(4),
  /** It is sent on to another node. */
  FORWARD(5),
  /** It is answered with many. */
  FLOOD(6),
  /** Its handler throws. */
  THROW(7),
  /** It has no handler. */
  NOBODY(8);

  private final int handler;

  Deed(int handler) {
    this.handler = handler;
  }

  /** The handler's number. */
  int handler() {
    return handler;
  }
}
