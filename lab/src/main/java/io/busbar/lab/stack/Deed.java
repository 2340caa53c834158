package io.busbar.lab.stack;

import io.busbar.messages.Handler;
import io.busbar.messages.Messages;

/** What is done with a message where it arrives: each deed has handlers. */
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
  NOBODY(8),
  /** A resumable handler takes it in sips, and asks to be called again. */
  SIP(9),
  /** A resumable handler leaves it where it is for a while. */
  LATER(10),
  /** A resumable handler takes a part of it, and wants no more. */
  EARLY(11),
  /** A handler waits for something else first. */
  WAIT(12),
  /** It is left where it is until a GO of the same sender's comes. */
  HOLD(13),
  /** What is held of its sender is taken. */
  GO(14),
  /** It is answered with more of those that are held than there are channels, and a GO. */
  CROWD(15);

  /** Handlers of each deed: which one is named tells messages apart before a byte has come. */
  static final int TAGS = 64;

  private final int number;

  Deed(int number) {
    this.number = number;
  }

  /** The handler of a message. */
  Handler handler(int tag) {
    return this == WAIT ? Handler.named("await " + tag) : Handler.numbered(number * TAGS + tag);
  }

  /** Registers what is done with messages. */
  void register(Messages messages, Doing doing) {
    for (int i = 0; i < TAGS && this != NOBODY; i++) {
      int tag = i;
      Handler _ =
          switch (this) {
            case WAIT ->
                messages.waitingHandler(
                    handler(tag).name(), (in, from) -> doing.handle(this, tag, in, from));
            case SIP, LATER, EARLY, HOLD ->
                messages.resumableHandler(
                    handler(tag).number(), (in, from) -> doing.resume(this, tag, in, from));
            default ->
                messages.handler(
                    handler(tag).number(), (in, from) -> doing.handle(this, tag, in, from));
          };
    }
  }

  /** Whether all of a message is read. */
  boolean readsAll() {
    return switch (this) {
      case HALF, THROW, NOBODY, EARLY -> false;
      default -> true;
    };
  }

  /** Whether it can be told from its first message which life of a node sent it. */
  boolean canBeFirst() {
    return this == WORDS || this == TAKE || this == REPLY || this == FORWARD || this == FLOOD;
  }
}
