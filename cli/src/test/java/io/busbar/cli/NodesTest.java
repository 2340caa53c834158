package io.busbar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.lab.bed.HostProcess;
import io.busbar.lab.bed.TestBed;
import io.busbar.lab.bed.TestHost;
import io.busbar.node.Discovery;
import io.busbar.wire.Format;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
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
  void anotherVersionIsTold() throws Exception {
    try (TestBed bed = TestBed.create(2)) {
      HostProcess words = bed.host(0).java(SMALL, Main.class, List.of("nodes", "--wait", "4"));
      HostProcess object =
          bed.host(0).java(SMALL, Main.class, List.of("nodes", "--wait", "4", "--json"));
      int said = bed.host(1).call(() -> speakAnotherVersion(bed.host(1), words, object));
      assertThat(said).isPositive();
      assertThat(words.awaitExit(LIMIT)).as(words.output()).isZero();
      assertThat(words.output())
          .containsPattern("Nodes of another version speak here, too: [1-9][0-9]* frames")
          .doesNotContain("another cluster");
      assertThat(object.awaitExit(LIMIT)).as(object.output()).isZero();
      assertThat(object.output())
          .containsPattern(
              "\\{\"what\":\"foreign\",\"other_cluster_frames\":0,"
                  + "\"other_version_frames\":[1-9][0-9]*}");
    }
  }

  /** Hellos of version 2, whatever that will be, while somebody looks; how many. */
  private static int speakAnotherVersion(TestHost host, HostProcess... listeners) throws Exception {
    byte[] hello = new byte[200];
    hello[0] = (byte) (2 << 4 | Format.HELLO);
    String[] group = Discovery.GROUP.split(":", -1);
    InetSocketAddress all =
        new InetSocketAddress(InetAddress.ofLiteral(group[0]), Integer.parseInt(group[1]));
    int said = 0;
    try (DatagramSocket mouth = new DatagramSocket()) {
      mouth.setOption(
          StandardSocketOptions.IP_MULTICAST_IF, NetworkInterface.getByName(host.deviceName()));
      while (Arrays.stream(listeners).anyMatch(HostProcess::isAlive)) {
        mouth.send(new DatagramPacket(hello, hello.length, all));
        said++;
        LockSupport.parkNanos(50_000_000);
      }
    }
    return said;
  }

  @Test
  void whoComesAndGoesIsAnObjectEach() {
    try (TestBed bed = TestBed.create(2)) {
      String[] words = {"nodes", "--watch", "--json", "--wait", SHORT_S, "--for", "60"};
      HostProcess looks = bed.host(0).java(SMALL, Main.class, List.of(words));
      String self = looks.awaitLine(line -> line.contains("\"what\":\"node\""), LIMIT);
      assertThat(self)
          .contains("\"self\":true", "\"fabrics\":[\"udp\"]")
          .doesNotContain("\"view\"");
      HostProcess other = bed.host(1).java(SMALL, Main.class, List.of("nodes", "--watch"));
      String name = "\"name\":\"busbar-nodes-%d\"".formatted(other.pid());
      long view = viewOf(looks, "joined", name, "alive");
      other.kill();
      long suspected = viewOf(looks, "suspected", name, "suspected");
      assertThat(suspected).isGreaterThan(view);
      assertThat(viewOf(looks, "died", name, "dead")).isGreaterThan(suspected);
    }
  }

  /** The view of which an event tells. */
  private static long viewOf(HostProcess looks, String what, String name, String state) {
    String start = "{\"what\":\"%s\",\"view\":".formatted(what);
    String line = looks.awaitLine(one -> one.startsWith(start), LIMIT);
    assertThat(line)
        .contains(name, "\"state\":\"%s\"".formatted(state), "\"self\":false")
        .contains("\"fabrics\":[\"udp\"],\"addresses\":[\"udp:")
        .endsWith("}}");
    return Long.parseLong(line.substring(start.length(), line.indexOf(',', start.length())));
  }

  @Test
  void watchingEndsWhenItsTimeIsOver() {
    long startNs = System.nanoTime();
    String[] words = {"nodes", "--host", "127.0.0.1", "--cluster", "x", "--wait", "0.1"};
    List<String> watching = new ArrayList<>(List.of(words));
    watching.addAll(List.of("--watch", "--for", "1.5"));
    assertThat(Main.run(watching.toArray(String[]::new))).as(err()).isZero();
    long tookMs = (System.nanoTime() - startNs) / 1_000_000;
    assertThat(tookMs).isBetween(1_600L, 20_000L);
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
        .contains("\"fabrics\":[\"udp\"]")
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
