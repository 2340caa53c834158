package io.busbar.fabric.shm;

import io.busbar.fabric.NicAddress;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where an interface in shared memory is reached.
 *
 * @param host who can reach it
 * @param token its segment's name; a new life has a new one
 */
public record ShmAddress(HostIdentity host, long token) implements NicAddress {
  private static final String HEX = "([0-9a-f]{16})";
  private static final Pattern TEXT = Pattern.compile("shm:" + HEX + ":([0-9]+):" + HEX);

  @Override
  public String text() {
    HexFormat hex = HexFormat.of();
    return "shm:%s:%d:%s"
        .formatted(hex.toHexDigits(host.boot()), host.network(), hex.toHexDigits(token));
  }

  /** Reads what {@link #text} wrote. */
  public static ShmAddress parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is no address in shared memory; one looks like shm:BOOT:NETWORK:TOKEN"
              .formatted(text));
    }
    return new ShmAddress(
        new HostIdentity(
            HexFormat.fromHexDigitsToLong(matcher.group(1)), Long.parseLong(matcher.group(2))),
        HexFormat.fromHexDigitsToLong(matcher.group(3)));
  }

  @Override
  public String toString() {
    return text();
  }
}
