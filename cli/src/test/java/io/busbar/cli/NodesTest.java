package io.busbar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.lab.bed.HostProcess;
import io.busbar.lab.bed.TestBed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who looks who is there sees the others who look, with no configuration. */
@Timeout(120)
class NodesTest extends RunCase {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final List<String> SMALL =
      List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  /** For those whose list may lack somebody: whoever comes later is told by a line. */
  private static final String SHORT_S = "0.3";

  @Test
  void threeTerminalsOnThreeHostsSeeEachOther() {
    try (TestBed bed = TestBed.create(3)) {
      List<HostProcess> terminals = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        String[] words = {"nodes", "--watch", "--wait", i == 2 ? "3" : SHORT_S};
        terminals.add(bed.host(i).java(SMALL, Main.class, List.of(words)));
        String _ = terminals.get(i).awaitLine(line -> line.contains("STATE"), LIMIT);
      }
      HostProcess last = terminals.get(2);
      for (int i = 0; i < 3; i++) {
        String host = bed.host(i).name();
        String row = last.awaitLine(line -> line.contains(" alive "), LIMIT);
        assertThat(row).matches(" +[0-9]+ +busbar-nodes-[0-9]+.* alive +[0-9]+ s +udp");
        assertThat(last.output()).contains(host);
      }
      String joined = terminals.get(0).awaitLine(line -> line.contains("joined"), LIMIT);
      assertThat(joined).contains("busbar-nodes-" + terminals.get(1).pid());
      terminals.get(1).kill();
      String died = terminals.get(0).awaitLine(line -> line.contains("died"), LIMIT);
      assertThat(died).contains("busbar-nodes-" + terminals.get(1).pid());
    }
  }

  @Test
  void whoSpeaksAndIsNotUnderstoodIsTold() {
    try (TestBed bed = TestBed.create(2)) {
      HostProcess looks = bed.host(0).java(SMALL, Main.class, List.of("nodes", "--wait", "6"));
      HostProcess other =
          bed.host(1).java(SMALL, Main.class, List.of("nodes", "--watch", "--cluster", "trade"));
      assertThat(looks.awaitExit(LIMIT)).as(looks.output()).isZero();
      assertThat(looks.output())
          .contains("No other node of cluster")
          .containsPattern("Nodes of another cluster speak here, too: [1-9][0-9]* frames")
          .doesNotContain("busbar-nodes-" + other.pid())
          .doesNotContain("another version");
    }
  }

  @Test
  void whoIsAskedToEndLeaves() {
    try (TestBed bed = TestBed.create(2)) {
      HostProcess stays =
          bed.host(0).java(SMALL, Main.class, List.of("nodes", "--watch", "--wait", SHORT_S));
      String _ = stays.awaitLine(line -> line.contains("STATE"), LIMIT);
      HostProcess goes = bed.host(1).java(SMALL, Main.class, List.of("nodes", "--watch"));
      String _ = stays.awaitLine(line -> line.contains("joined"), LIMIT);
      String _ = goes.awaitLine(line -> line.contains("STATE"), LIMIT);
      assertThat(ProcessHandle.of(goes.pid()).orElseThrow().destroy()).isTrue();
      String end = stays.awaitLine(line -> line.matches(".* (left|died|suspected) .*"), LIMIT);
      assertThat(end).contains(" left ").contains("busbar-nodes-" + goes.pid());
    }
  }

  @Test
  void seedsLeadToOthersWhereNothingReachesAll() throws IOException {
    try (TestBed bed = TestBed.create(3)) {
      List<String> first =
          List.of("nodes", "--watch", "--wait", SHORT_S, "--seed", bed.host(2).addressText());
      HostProcess seed = bed.host(0).java(SMALL, Main.class, grouped(first));
      String _ = seed.awaitLine(line -> line.contains("STATE"), LIMIT);
      Path hosts = folder().resolve("hosts");
      Files.writeString(hosts, bed.host(0).addressText() + "  # the first\n");
      List<String> second =
          List.of("nodes", "--watch", "--wait", SHORT_S, "--hosts", hosts.toString());
      HostProcess byFile = bed.host(1).java(SMALL, Main.class, grouped(second));
      String joined = seed.awaitLine(line -> line.contains("joined"), LIMIT);
      assertThat(joined).contains("busbar-nodes-" + byFile.pid());
      List<String> third = List.of("nodes", "--wait", "3", "--seed", bed.host(0).addressText());
      HostProcess last = bed.host(2).java(SMALL, Main.class, grouped(third));
      assertThat(last.awaitExit(LIMIT)).as(last.output()).isZero();
      assertThat(last.output())
          .contains("busbar-nodes-" + seed.pid())
          .contains("busbar-nodes-" + byFile.pid());
    }
  }

  /** Where nothing is sent to all. */
  private static List<String> grouped(List<String> words) {
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of("--group", ""));
    return all;
  }

  @Test
  void objectsForPrograms() {
    assertThat(
            Main.run("nodes", "--host", "127.0.0.1", "--json", "--wait", "0.2", "--cluster", "x"))
        .as(err())
        .isZero();
    assertThat(out())
        .contains("\"what\":\"node\"")
        .contains("\"state\":\"alive\"")
        .contains("\"self\":true")
        .contains("\"role\":\"looks\"");
  }

  @Test
  void misuseIsExplained() {
    assertThat(Main.run("nodes", "--wait", "0")).isEqualTo(2);
    assertThat(err()).contains("--wait is 0.0 seconds; from 0.05 to 3600.0");
    assertThat(Main.run("nodes", "--for", "2")).isEqualTo(2);
    assertThat(err()).contains("--for belongs to --watch");
    assertThat(Main.run("nodes", "--host", "10.255.255.1")).isEqualTo(1);
    assertThat(err()).contains("busbar nodes: ").contains("10.255.255.1");
  }
}
