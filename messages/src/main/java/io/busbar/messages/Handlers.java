package io.busbar.messages;

import io.busbar.messages.MessageException.Mistake;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Handlers by their numbers. */
final class Handlers {
  private final AtomicReferenceArray<@Nullable Registered> byNumber =
      new AtomicReferenceArray<>(Handler.LIMIT);

  synchronized Handler add(Registered added) {
    Handler handler = added.handler();
    Registered other = byNumber.get(handler.number());
    if (other != null) {
      String name = other.handler().name();
      throw new MessageException(
          Mistake.HANDLER_TAKEN,
          name.equals(handler.name())
              ? "handler %s is registered already".formatted(name)
              : "handlers %s and %s fall on one number: rename one, or number it"
                  .formatted(name, handler.name()));
    }
    byNumber.set(handler.number(), added);
    return handler;
  }

  @Nullable Registered get(int number) {
    return byNumber.get(number);
  }
}
