package io.busbar.cli;

import java.io.Console;
import java.util.Optional;

/** One line on standard error that says how far a long command is. */
final class Progress {
  private static final long TERMINAL_NS = 200_000_000L;
  private static final int COLUMNS = 79;
  private static final long PLAIN_NS = 5_000_000_000L;

  private final boolean terminal =
      Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
  private long shownNs = System.nanoTime();

  /** Shows the line, if the last one is old enough: in place on a terminal, else a new line. */
  void show(String line) {
    long now = System.nanoTime();
    if (now - shownNs >= (terminal ? TERMINAL_NS : PLAIN_NS)) {
      shownNs = now;
      if (terminal) {
        // What does not fit into one line could not be taken back.
        String shown = line.length() <= COLUMNS ? line : line.substring(0, COLUMNS - 1) + "…";
        System.err.print("\r" + shown + "\u001b[K");
        System.err.flush();
      } else {
        System.err.println(line);
      }
    }
  }

  /** Takes the line away, so that results can be printed. */
  void clear() {
    if (terminal) {
      System.err.print("\r\u001b[K");
      System.err.flush();
    }
  }
}
