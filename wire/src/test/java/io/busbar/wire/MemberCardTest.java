package io.busbar.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemberCardTest {
  private static MemorySegment written(MemberCard card) {
    byte[] encoded = card.encoded();
    MemorySegment bytes = MemorySegment.ofArray(new byte[MemberCard.length(encoded)]);
    MemberRecord.write(bytes, 0, 5, MemberRecord.SUSPECTED, 3, 99);
    MemorySegment.copy(MemorySegment.ofArray(encoded), 0, bytes, 16, encoded.length);
    return bytes;
  }

  @Test
  void isReadAsItWasWritten() {
    MemberCard card =
        new MemberCard(
            "zähler", "host", List.of("udp:[::1]:5", "packet:x/1"), Map.of("k", "v", "l", ""));
    MemorySegment bytes = written(card);
    assertThat(MemberCard.count(bytes, 0, (int) bytes.byteSize())).isEqualTo(1);
    assertThat(MemberCard.read(bytes, 0)).isEqualTo(card);
    assertThat(MemberRecord.id(bytes, 0)).isEqualTo(5);
    assertThat(MemberRecord.state(bytes, 0)).isEqualTo(MemberRecord.SUSPECTED);
    assertThat(MemberRecord.edition(bytes, 0)).isEqualTo(3);
    assertThat(MemberRecord.life(bytes, 0)).isEqualTo(99);
    assertThat(bytes.byteSize() % 8).isZero();
  }

  @Test
  void aCutCardIsNone() {
    MemorySegment bytes = written(new MemberCard("n", "h", List.of("a"), Map.of()));
    for (int length = 1; length < bytes.byteSize(); length++) {
      assertThat(MemberCard.count(bytes, 0, length)).isNegative();
    }
  }

  @Test
  void whatNoFrameCarriesIsRefused() {
    assertThatThrownBy(() -> new MemberCard("n".repeat(256), "h", List.of(), Map.of()))
        .hasMessage("a text of 256 bytes; a card has such of 255");
    String text = "a".repeat(250);
    assertThatThrownBy(() -> new MemberCard("n", "h", List.of(text, text, text, text), Map.of()))
        .hasMessage("the card of n has 1032 bytes; allowed: 1024");
  }
}
