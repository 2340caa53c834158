package io.busbar.messages;

import io.busbar.messages.MessageException.Mistake;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Handlers by their numbers: those below 32768 were chosen, the others come from names. */
final class Handlers {
  private static final int NAMED = 1 << 15;

  private final AtomicReferenceArray<@Nullable Handler> byNumber =
      new AtomicReferenceArray<>(2 * NAMED);

  synchronized Handler add(String name, MessageHandler action) {
    CRC32C hash = new CRC32C();
    hash.update(name.getBytes(StandardCharsets.UTF_8));
    return put(new Handler(NAMED | ((int) hash.getValue() & (NAMED - 1)), name, action));
  }

  synchronized Handler add(int number, MessageHandler action) {
    if (number < 0 || number >= NAMED) {
      throw new IllegalArgumentException(
          "handler %d; allowed: 0 to %d, or a name".formatted(number, NAMED - 1));
    }
    return put(new Handler(number, "#" + number, action));
  }

  private Handler put(Handler handler) {
    Handler other = byNumber.get(handler.number());
    if (other != null) {
      throw new MessageException(
          Mistake.HANDLER_TAKEN,
          other.name().equals(handler.name())
              ? "handler %s is registered already".formatted(handler.name())
              : "handlers %s and %s fall on one number: rename one, or number it"
                  .formatted(other.name(), handler.name()));
    }
    byNumber.set(handler.number(), handler);
    return handler;
  }

  @Nullable Handler get(int number) {
    return byNumber.get(number);
  }
}
