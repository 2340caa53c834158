package io.busbar.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.CapturingNic;
import io.busbar.fabric.PcapFile;
import io.busbar.lab.Tshark;
import io.busbar.messages.Handler;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages that two nodes exchanged over a network that loses are found in a capture of it. */
@Timeout(60)
class CapturedExchangeTest {
  private static final long SECOND_NS = 1_000_000_000L;
  private static final Handler SOME = Handler.numbered(8);
  private static final int MESSAGES = 200;
  private static final int LONG_BYTES = 100_000;

  @TempDir Path folder;

  /** No two of these are of one length. */
  private static int length(int i) {
    return 17 * i + 1;
  }

  @Test
  void messagesAreFoundWhereTheyBegin() throws Throwable {
    Tshark.need();
    Duo[] duo = new Duo[1];
    MemorySegment bytes = MemorySegment.ofArray(new byte[LONG_BYTES]);
    Duo.Play speaks =
        process -> {
          try (Duo.Talk talk = duo[0].talk(process)) {
            for (int i = 0; i < MESSAGES; i++) {
              talk.messages.send(1, SOME, bytes, 0, length(i));
            }
            talk.messages.send(1, SOME, bytes, 0, LONG_BYTES);
            talk.extractUntil(5 * SECOND_NS);
          }
        };
    Duo.Play listens =
        process -> {
          try (Duo.Talk talk = duo[0].talk(process)) {
            Handler _ = talk.messages.handler(SOME.number(), (in, from) -> talk.handled++);
            talk.say(0);
            talk.extractUntil(5 * SECOND_NS);
            assertThat(talk.handled).isEqualTo(MESSAGES + 1);
          }
        };
    duo[0] = new Duo(List.of(speaks), List.of(listens));
    Path path = folder.resolve("c.pcap");
    try (PcapFile file = new PcapFile(path, PcapFile.BYTES_MAX, why -> {})) {
      duo[0]
          .stack
          .network()
          .watch((nowNs, what, memory, size) -> sent(file, nowNs, what, memory, size));
      duo[0].stack.schedule().at(1000, () -> duo[0].stack.faults().loss = 0.03);
      duo[0].run(20 * SECOND_NS);
    }
    check(
        Tshark.read(
            path,
            "busbar.verdict",
            "busbar.format",
            "busbar.from",
            "busbar.options.repair",
            "busbar.record.kind",
            "busbar.record.length",
            "busbar.record.word",
            "busbar.record.size"));
  }

  private static void sent(PcapFile file, long nowNs, String what, MemorySegment memory, int size) {
    if (what.equals("sent")) {
      file.begin(nowNs, CapturingNic.ETHER_FRAME, 1, 2);
      file.add(memory, 0, size);
      file.end();
    }
  }

  private static Set<String> all(List<Map<String, String>> rows, String field) {
    Set<String> values = new TreeSet<>();
    rows.forEach(row -> values.addAll(Arrays.asList(row.getOrDefault(field, "").split(",", -1))));
    return values;
  }

  private static void check(List<Map<String, String>> rows) {
    assertThat(all(rows, "busbar.verdict")).containsExactly("OK");
    assertThat(all(rows, "busbar.format")).containsExactly("1", "2", "3", "4", "5");
    List<Map<String, String>> spoken =
        rows.stream().filter(row -> "0".equals(row.get("busbar.from"))).toList();
    List<String> lengths = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      lengths.add(Integer.toString(length(i)));
    }
    assertThat(all(spoken, "busbar.record.length")).containsAll(lengths);
    assertThat(all(spoken, "busbar.record.size")).contains(Integer.toString(LONG_BYTES));
    assertThat(all(rows, "busbar.record.word")).contains("1", "2", "3", "4");
  }
}
