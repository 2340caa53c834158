package io.busbar.node.stat;

import java.nio.file.Path;

/** What came of reading a file of counters: a {@link NodeSnapshot}, or {@link Unreadable}. */
public sealed interface StatReading permits NodeSnapshot, Unreadable {
  /** The file. */
  Path path();

  /** The owner's process; 0 when it is not known. */
  int pid();
}
