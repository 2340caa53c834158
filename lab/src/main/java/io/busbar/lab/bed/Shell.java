package io.busbar.lab.bed;

import java.time.Duration;
import java.util.List;

/** Runs a script that stops at its first failure. */
final class Shell {
  /** Hundreds of times what a script takes on an idle machine. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private Shell() {}

  /**
   * Runs it to its end.
   *
   * @param purpose what it is for, as it follows the word "cannot"
   */
  static void run(String purpose, String script) {
    try {
      HostProcess.start("the script", List.of("/bin/sh", "-e")).finish(script, LIMIT);
    } catch (TestBedException e) {
      throw new TestBedException(
          "cannot %s: %s\nThe script was:\n%s".formatted(purpose, e.getMessage(), script), e);
    }
  }
}
