package io.busbar.linux;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;

/**
 * What a test needs of its machine. Without it the test is skipped and says why; where {@code
 * BUSBAR_REQUIRE_PRIVILEGED=1} is set, as in continuous integration, it fails instead.
 */
final class Needs {
  private Needs() {}

  static void that(boolean met, String need) {
    if (met) {
      return;
    }
    String reason = "this test needs " + need;
    if ("1".equals(System.getenv("BUSBAR_REQUIRE_PRIVILEGED"))) {
      fail(reason + ", and BUSBAR_REQUIRE_PRIVILEGED=1 forbids to skip it");
    }
    System.out.println("skipped: " + reason);
    abort(reason);
  }

  static void capability(Capability capability) {
    that(Capabilities.effective().has(capability), capability.name());
  }

  /** A command of the system that ends at once, and well. */
  static void command(String... command) throws InterruptedException {
    that(works(command), "the command " + String.join(" ", command));
  }

  private static boolean works(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
