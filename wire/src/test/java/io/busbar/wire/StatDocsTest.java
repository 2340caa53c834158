package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page about the file of counters says what the code does. */
class StatDocsTest {
  private static final WireDoc PAGE = new WireDoc("stat.md");

  /** The drawings and the tables of fields, in the order of the page. */
  private static List<List<WireDoc.Field>> layouts() {
    Predicate<String> counter = n -> n.startsWith("COUNTER_");
    Predicate<String> peer = n -> n.startsWith("PEER_");
    Predicate<String> header = counter.or(peer).negate();
    return List.of(
        Constants.layout(StatLayout.class, header, StatLayout.BYTES),
        Constants.layout(StatLayout.class, counter, StatLayout.COUNTER_BYTES),
        Constants.layout(StatLayout.class, peer, StatLayout.PEER_BYTES));
  }

  @Test
  void drawingsShowTheLayouts() {
    assertEquals(layouts(), PAGE.drawings().stream().map(Drawing::fields).toList());
  }

  @Test
  void tablesShowTheLayouts() {
    assertEquals(layouts(), PAGE.layouts().stream().map(WireDoc.Table::fields).toList());
  }

  @Test
  void partsStandWhereThePageSays() {
    List<List<String>> rows = PAGE.table("at", "bytes", "what").rows();
    List<List<Integer>> parts =
        rows.stream()
            .map(row -> List.of(Integer.valueOf(row.get(0)), Integer.valueOf(row.get(1))))
            .toList();
    assertEquals(
        List.of(
            List.of(0, StatLayout.BYTES),
            List.of(StatLayout.COUNTERS, StatLayout.COUNTERS_MAX * StatLayout.COUNTER_BYTES),
            List.of(StatLayout.PEERS, StatLayout.PEERS_MAX * StatLayout.PEER_BYTES)),
        parts);
    for (int i = 0; i + 1 < parts.size(); i++) {
      int end = parts.get(i).get(0) + parts.get(i).get(1);
      assertTrue(end <= parts.get(i + 1).get(0), "part %d ends at %d".formatted(i, end));
    }
  }

  @Test
  void limitsAreTheCodes() {
    assertEquals(
        Map.of(
            "version", "" + StatLayout.VERSION,
            "file bytes", "" + StatLayout.FILE_BYTES,
            "counters", "" + StatLayout.COUNTERS_MAX,
            "peers", "" + StatLayout.PEERS_MAX),
        PAGE.table("limit", "value", "reason").map("limit", "value"));
  }

  @Test
  void reasonsHaveTheirNumbersAndSentences() {
    List<List<String>> expected =
        Stream.of(Blocked.values())
            .map(why -> List.of("" + why.number(), why.name(), why.sentence()))
            .toList();
    assertEquals(expected, PAGE.table("number", "blocked", "meaning").rows());
  }

  @Test
  void reasonsAreFoundByTheirNumbers() {
    for (Blocked why : Blocked.values()) {
      assertEquals(Optional.of(why), Blocked.of(why.number()));
    }
    assertEquals(Optional.empty(), Blocked.of(-1));
    assertEquals(Optional.empty(), Blocked.of(Blocked.values().length));
    assertEquals(Optional.empty(), Blocked.of(1L << 32));
  }

  @Test
  void magicIsReadable() {
    ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(StatLayout.MAGIC);
    assertEquals("BUSBARST", new String(bytes.array(), StandardCharsets.US_ASCII));
  }

  @Test
  void wordsAreAligned() {
    assertEquals(0, StatLayout.COUNTERS % 8);
    assertEquals(0, StatLayout.COUNTER_BYTES % 8);
    assertEquals(0, StatLayout.PEERS % 64);
    assertEquals(0, StatLayout.PEER_BYTES % 64);
    layouts().stream()
        .flatMap(List::stream)
        .forEach(field -> assertEquals(0, field.at() % Math.min(field.bytes(), 8), field.name()));
    assertEquals(StatLayout.peerAt(StatLayout.PEERS_MAX), StatLayout.FILE_BYTES);
  }
}
