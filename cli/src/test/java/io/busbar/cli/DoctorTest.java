package io.busbar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.lab.bed.ChildJvm;
import io.busbar.lab.bed.TestBed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The doctor tells the truth, whatever the process may do. */
class DoctorTest {
  private static final List<String> WITHOUT_RIGHTS =
      List.of("setpriv", "--inh-caps=-all", "--bounding-set=-all");

  private record Told(int code, String text) {}

  private static Told doctor(List<String> under, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(under);
    List<String> words = new ArrayList<>(List.of("doctor"));
    words.addAll(List.of(arguments));
    command.addAll(ChildJvm.command(List.of("-XX:TieredStopAtLevel=1"), Main.class, words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Told(process.exitValue(), text);
  }

  /** On a host that has an Ethernet interface, whatever this machine has. */
  private static Told doctorOnEthernet(List<String> under, String... arguments) throws Exception {
    try (TestBed bed = TestBed.create(1)) {
      List<String> prefix = new ArrayList<>(LocalSeat.in(bed.host(0)).prefix());
      prefix.addAll(under);
      return doctor(prefix, arguments);
    }
  }

  @Test
  void withAllRightsEverythingIsUsable() throws Exception {
    Told told = doctorOnEthernet(List.of(), "127.0.0.1");
    assertThat(told.code()).as(told.text()).isZero();
    assertThat(told.text())
        .contains("yes shm")
        .contains("frames up to 131072 B")
        .contains("yes udp")
        .contains("yes packet")
        .contains("frames up to 1500 B")
        .contains("to nodes on the segment of bed0")
        .contains("yes xdp")
        .contains("this process has the rights")
        .containsPattern("driver veth, queues: \\d+ to receive, \\d+ to send; no XDP program")
        .contains("which CAP_IPC_LOCK passes")
        .contains("  shm     one buffer for all nodes of this host")
        .contains("  packet  one Ethernet broadcast for all on the segment")
        .containsPattern("  udp +one multicast to 239[0-9.:]+ for all on the segment of .*bed0")
        .contains("127.0.0.1: udp, frames up to 65507 B (an address of this host;");
  }

  @Test
  void withoutRightsItSaysWhatIsMissing() throws Exception {
    List<String> under = new ArrayList<>(List.of("prlimit", "--memlock=65536"));
    under.addAll(WITHOUT_RIGHTS);
    Told told = doctorOnEthernet(under);
    assertThat(told.code()).as(told.text()).isZero();
    assertThat(told.text())
        .contains("yes shm")
        .contains("pinned: no")
        .contains("yes udp")
        .contains("no  packet")
        .contains("cannot open bed0")
        .contains("EPERM")
        .contains("this process lacks CAP_BPF, CAP_NET_ADMIN, CAP_NET_RAW")
        .contains("low locked memory (RLIMIT_MEMLOCK): 64 KB")
        .doesNotContain("passes");
  }

  @Test
  void aFolderWithoutRoomIsSaidSo(@TempDir Path folder) throws Exception {
    Told told = doctor(List.of(), "--directory", folder.resolve("nowhere").toString(), "--json");
    assertThat(told.code()).as(told.text()).isZero();
    assertThat(told.text())
        .startsWith("{\"host\":{\"boot\":\"")
        .contains("{\"carrier\":\"shm\",\"usable\":false,\"verdict\":\"cannot make the segment")
        .contains("ENOENT")
        .contains("{\"carrier\":\"udp\",\"usable\":true")
        .contains("\"to_everyone\":\"\"")
        .contains("\"to_everyone\":\"one ");
  }

  @Test
  void peersAreJudged() throws Exception {
    Told told =
        doctor(
            List.of(),
            "--json",
            "shm:0000000000000001:1:0000000000000002",
            "10.255.255.1",
            "udp:[::1]:7009");
    assertThat(told.code()).as(told.text()).isZero();
    assertThat(told.text())
        .contains("\"carrier\":\"udp\",\"why\":\"another machine, or another boot of this one\"")
        .contains("{\"peer\":\"udp:[::1]:7009\",\"carrier\":\"udp\"");
  }

  @Test
  void whatIsNoPeerIsRefused() {
    assertThat(Main.run("doctor", "nonsense")).isEqualTo(2);
  }
}
