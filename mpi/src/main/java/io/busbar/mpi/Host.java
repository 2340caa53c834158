package io.busbar.mpi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Which host this is: one boot of a kernel, and one network of it. */
final class Host {
  private static final int BYTES = 128;

  private Host() {}

  /** The same for processes that share memory, and no others. */
  static byte[] identity() {
    String text;
    try {
      text =
          Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip()
              + Files.readSymbolicLink(Path.of("/proc/self/ns/net"));
    } catch (IOException e) {
      text = "process " + ProcessHandle.current().pid(); // on its own, then
    }
    return Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), BYTES);
  }
}
