package io.busbar.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.stream.Collectors;

/** The byte vectors of {@code golden/}: commented hex, and what it should be read as. */
final class Golden {
  private Golden() {}

  static byte[] bytes(String name) {
    String hex =
        resource(name + ".hex")
            .lines()
            .map(line -> line.replaceFirst("#.*", "").replace(" ", ""))
            .collect(Collectors.joining());
    return HexFormat.of().parseHex(hex);
  }

  static String text(String name) {
    return resource(name + ".txt").strip();
  }

  private static String resource(String name) {
    try (InputStream in = Golden.class.getResourceAsStream("/golden/" + name)) {
      if (in == null) {
        throw new IllegalArgumentException("no golden/" + name);
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
