package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.messages.MessageException.Mistake;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HandlersTest {
  private static Registered registered(Handler handler) {
    return new Registered(handler, (_, _) -> {}, null, false);
  }

  /** Names have 32768 numbers: two that fall on one are refused, and both are named. */
  @Test
  void namesThatCollideAreRefusedByName() {
    Handler first = Handler.named("first");
    String name =
        Stream.iterate(0, i -> i + 1)
            .map(i -> "second" + i)
            .filter(other -> Handler.named(other).number() == first.number())
            .findFirst()
            .orElseThrow();
    Handlers handlers = new Handlers();
    assertThat(handlers.add(registered(first))).isEqualTo(first);
    assertThatThrownBy(() -> handlers.add(registered(Handler.named(name))))
        .hasMessage(
            "handlers first and %s fall on one number: rename one, or number it".formatted(name))
        .isInstanceOfSatisfying(
            MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.HANDLER_TAKEN));
    assertThatThrownBy(() -> handlers.add(registered(first)))
        .hasMessage("handler first is registered already");
    assertThat(handlers.add(registered(Handler.numbered(1)))).isEqualTo(Handler.numbered(1));
  }
}
