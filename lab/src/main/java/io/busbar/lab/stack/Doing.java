package io.busbar.lab.stack;

import io.busbar.messages.InMessage;
import io.busbar.messages.ResumableHandler;

/** Who does what messages are for. */
interface Doing {
  /** A message, for a handler that can wait for it. */
  void handle(Deed deed, int tag, InMessage in, int from);

  /** A message of which something has come, or which somebody wanted to be looked at again. */
  ResumableHandler.Progress resume(Deed deed, int tag, InMessage in, int from);
}
