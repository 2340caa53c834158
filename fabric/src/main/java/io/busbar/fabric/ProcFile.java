package io.busbar.fabric;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A small file of {@code /proc}, in one read. The kernel says that such a file is empty, and gives
 * a number ({@code /proc/sys/net/core/rmem_max}) whole to the first read and nothing to a second
 * one: {@link Files#readString}, which begins with one byte, gets its first digit.
 */
public final class ProcFile {
  private static final int BYTES_MAX = 4096;

  private ProcFile() {}

  /** Its text, without the end of the line. */
  public static String read(Path path) throws IOException {
    try (InputStream input = Files.newInputStream(path)) {
      byte[] bytes = new byte[BYTES_MAX];
      int length = Math.max(0, input.read(bytes));
      return new String(bytes, 0, length, StandardCharsets.US_ASCII).trim();
    }
  }
}
