package io.busbar.messages;

import io.busbar.messages.MessageException.Mistake;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * What a message names: the same on every node. Who only sends need not register one.
 *
 * @param number those below 32768 were chosen, the others come from names
 * @param name for people
 */
public record Handler(int number, String name) {
  private static final int NAMED = 1 << 15;

  /** Handlers that there can be. */
  static final int LIMIT = 2 * NAMED;

  /**
   * The handler of a name. Names may fall on one number: a node refuses the second such, but does
   * not know those of others.
   */
  public static Handler named(String name) {
    CRC32C hash = new CRC32C();
    hash.update(name.getBytes(StandardCharsets.UTF_8));
    return new Handler(NAMED | ((int) hash.getValue() & (NAMED - 1)), name);
  }

  /** The handler of a number from 0 to 32767. */
  public static Handler numbered(int number) {
    if (number < 0 || number >= NAMED) {
      throw new MessageException(
          Mistake.UNKNOWN_HANDLER,
          "handler %d; allowed: 0 to %d, or a name".formatted(number, NAMED - 1));
    }
    return new Handler(number, "#" + number);
  }
}
