package io.busbar.lab.stack;

import java.io.Serial;

/** Unwinds the threads of a process that crashed; nobody may do anything about it. */
public final class Crashed extends Error {
  @Serial private static final long serialVersionUID = 1;

  Crashed(int node) {
    super("node %d has crashed".formatted(node), null, false, false);
  }
}
