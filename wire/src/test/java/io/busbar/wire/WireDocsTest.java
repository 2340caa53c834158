package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The drawings and tables of docs/wire say what the code does. */
class WireDocsTest {
  /** The n-th drawing and the n-th table of fields of a page, and the layout that they show. */
  record Layout(String page, int n, List<WireDoc.Field> fields) {
    @Override
    public String toString() {
      return page + " " + n;
    }
  }

  static Stream<Layout> layouts() {
    Predicate<String> all = n -> true;
    Predicate<String> spans = n -> n.startsWith("SPAN_");
    Predicate<String> readers = n -> n.startsWith("READER_");
    Predicate<String> castFront = spans.negate().and(readers.negate());
    Predicate<String> mail = n -> n.startsWith("MAIL_");
    return Stream.of(
        new Layout("header.md", 0, Constants.layout(Header.class, all, Header.BYTES)),
        new Layout("first.md", 0, Constants.layout(FirstBlock.class, all, FirstBlock.BYTES)),
        new Layout(
            "control.md",
            0,
            Constants.layout(ControlBlock.class, spans.negate(), ControlBlock.BYTES)),
        new Layout(
            "control.md", 1, Constants.layout(ControlBlock.class, spans, ControlBlock.SPAN_BYTES)),
        new Layout("diag.md", 0, Constants.layout(DiagBlock.class, all, DiagBlock.BYTES)),
        new Layout("bus.md", 0, Constants.layout(BusBlock.class, all, BusBlock.PROBE_BYTES)),
        new Layout("bus.md", 1, Constants.layout(MemberRecord.class, all, MemberRecord.BYTES)),
        new Layout("bus.md", 2, Constants.layout(MemberCard.class, all, MemberCard.HEAD_BYTES)),
        new Layout("bus.md", 3, Constants.layout(CastBlock.class, castFront, CastBlock.BYTES)),
        new Layout("bus.md", 4, Constants.layout(CastBlock.class, spans, CastBlock.SPAN_BYTES)),
        new Layout("bus.md", 5, Constants.layout(CastBlock.class, readers, CastBlock.READER_BYTES)),
        new Layout("mpi.md", 0, Constants.layout(MpiEnvelope.class, all, MpiEnvelope.BYTES)),
        new Layout("records.md", 0, Constants.layout(Records.class, all, Records.HEADER_BYTES)),
        new Layout(
            "segment.md",
            0,
            Constants.layout(SharedSegment.class, mail.negate(), SharedSegment.BYTES)),
        new Layout(
            "segment.md",
            1,
            Constants.layout(SharedSegment.class, mail, SharedSegment.MAIL_WRITTEN_BYTES)),
        new Layout("segment.md", 2, Constants.layout(RingSlot.class, all, RingSlot.WORD_BYTES)),
        new Layout("guards.md", 0, List.of(new WireDoc.Field("crc", 0, Crc32c.BYTES))),
        new Layout(
            "guards.md",
            1,
            List.of(
                new WireDoc.Field("counter", 0, Seal.COUNTER_BYTES),
                new WireDoc.Field("tag", Seal.COUNTER_BYTES, Seal.TAG_BYTES))));
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void drawingShowsTheLayout(Layout layout) {
    assertEquals(layout.fields(), new WireDoc(layout.page()).drawings().get(layout.n()).fields());
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void tableShowsTheLayout(Layout layout) {
    assertEquals(layout.fields(), new WireDoc(layout.page()).layouts().get(layout.n()).fields());
  }

  @Test
  void noDrawingOrTableIsLeftUnchecked() {
    Map<String, Long> checked =
        layouts().collect(Collectors.groupingBy(Layout::page, Collectors.counting()));
    checked.forEach(
        (page, count) -> {
          assertEquals(count, new WireDoc(page).drawings().size(), page);
          assertEquals(count, new WireDoc(page).layouts().size(), page);
        });
  }

  @Test
  void versionAndFormatShareByteZeroAsDrawn() {
    List<Drawing.Bits> cells = new WireDoc("header.md").drawings().getFirst().cells();
    assertEquals(new Drawing.Bits("format", 0, 4), cells.get(0));
    assertEquals(new Drawing.Bits("version", 4, 4), cells.get(1));
    MemorySegment header = MemorySegment.ofArray(new byte[Header.BYTES]);
    Header.write(header, 0, 0xA, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    assertEquals(0xA | Header.VERSION << 4, Le.u8(header, 0));
  }

  private static Map<String, Integer> numbers(WireDoc.Table table, String name, String value) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    table.map(name, value).forEach((k, v) -> numbers.put(k, Integer.decode(v)));
    return numbers;
  }

  @Test
  void formatsHaveTheirNumbers() {
    WireDoc.Table table = new WireDoc("header.md").table("number", "format", "meaning");
    assertEquals(Constants.ints(Format.class, n -> true), numbers(table, "format", "number"));
  }

  private static WireDoc.Table options() {
    return new WireDoc("header.md").table("option", "value", "meaning", "refused in");
  }

  @Test
  void optionsHaveTheirValues() {
    Map<String, Integer> values = numbers(options(), "option", "value");
    assertEquals(Constants.ints(Options.class, n -> !n.equals("KNOWN")), values);
    assertEquals(Options.KNOWN, values.values().stream().reduce(0, (a, b) -> a | b));
    values.forEach((name, value) -> assertEquals(name, Options.names(value)));
  }

  @Test
  void optionsAreRefusedWhereTheTableSaysSo() {
    Map<String, Integer> values = numbers(options(), "option", "value");
    Map<String, String> refused = options().map("option", "refused in");
    for (int format : new int[] {1, 2, 3, 4, 5, Format.ECHO}) {
      int bits = 0;
      for (Map.Entry<String, String> row : refused.entrySet()) {
        boolean here = Arrays.asList(row.getValue().split(" ")).contains(Format.name(format));
        bits |= here ? values.getOrDefault(row.getKey(), 0) : 0;
      }
      assertEquals(
          Options.names(Format.optionsRefused(format)), Options.names(bits), Format.name(format));
    }
  }

  @Test
  void diagnosesHaveTheirNumbers() {
    Map<String, Integer> expected = new LinkedHashMap<>();
    for (Diagnosis diagnosis : Diagnosis.values()) {
      expected.put(diagnosis.name(), diagnosis.number());
    }
    WireDoc.Table table = new WireDoc("diag.md").table("number", "diagnosis", "meaning");
    assertEquals(expected, numbers(table, "diagnosis", "number"));
  }

  @Test
  void kindsOfRecordsHaveTheirNumbers() {
    Set<String> others = Set.of("HEADER_BYTES", "LENGTH_MAX");
    Map<String, Integer> kinds =
        Constants.ints(Records.class, n -> !others.contains(n) && !n.endsWith("_AT"));
    WireDoc.Table table = new WireDoc("records.md").table("number", "kind", "meaning");
    assertEquals(kinds, numbers(table, "kind", "number"));
  }

  @Test
  void verdictsAreAllThere() {
    WireDoc.Table table = new WireDoc("guards.md").table("verdict", "the frame is refused because");
    assertEquals(Constants.names(Verdict.values()), table.all("verdict"));
  }

  @Test
  void partsOfAFrameStandInTheOrderOfTheTable() {
    WireDoc.Table table = new WireDoc("guards.md").table("order", "bytes", "part", "announced by");
    assertEquals(
        List.of(
            List.of("1", "" + Header.BYTES, "header", ""),
            List.of("2", "length", "payload", ""),
            List.of("3", "" + Crc32c.BYTES, "checksum", Options.names(Options.CRC)),
            List.of("4", "" + Seal.BYTES, "seal", Options.names(Options.SEAL))),
        table.rows());
  }

  static Stream<Map.Entry<String, Map<String, Integer>>> limits() {
    return Stream.of(
        Map.entry(
            "header.md",
            Map.of(
                "header bytes", Header.BYTES,
                "payload bytes", Header.PAYLOAD_BYTES_MAX,
                "credit unit", Header.CREDIT_UNIT_BYTES,
                "credit bytes", (int) Header.CREDIT_BYTES_MAX,
                "version", Header.VERSION,
                "everyone", Header.EVERYONE)),
        Map.entry("first.md", Map.of("block bytes", FirstBlock.BYTES)),
        Map.entry(
            "control.md",
            Map.of(
                "block bytes", ControlBlock.BYTES,
                "span bytes", ControlBlock.SPAN_BYTES,
                "spans", ControlBlock.SPANS_MAX)),
        Map.entry("diag.md", Map.of("block bytes", DiagBlock.BYTES)),
        Map.entry(
            "records.md",
            Map.of("header bytes", Records.HEADER_BYTES, "length", Records.LENGTH_MAX)),
        Map.entry("guards.md", Map.of("checksum bytes", Crc32c.BYTES, "seal bytes", Seal.BYTES)));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void limitsAreTheCodes(Map.Entry<String, Map<String, Integer>> page) {
    WireDoc.Table table = new WireDoc(page.getKey()).table("limit", "value", "reason");
    assertEquals(page.getValue(), numbers(table, "limit", "value"));
  }

  @Test
  void everyVerdictBelongsToAStep() {
    Set<String> inSteps =
        new WireDoc("guards.md")
            .table("step", "looked at", "verdicts").all("verdicts").stream()
                .flatMap(verdicts -> Arrays.stream(verdicts.split(" ")))
                .collect(Collectors.toSet());
    Set<String> refusals =
        Arrays.stream(Verdict.values())
            .filter(verdict -> !verdict.ok())
            .map(Verdict::name)
            .collect(Collectors.toSet());
    assertEquals(refusals, inSteps);
  }
}
