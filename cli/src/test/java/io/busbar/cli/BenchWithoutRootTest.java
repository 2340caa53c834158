package io.busbar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.lab.bed.ChildJvm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may not make hosts is told what was left out; that nothing was measured is a failure. */
class BenchWithoutRootTest {
  /** Root without any of its rights, so that it can still read what was built. */
  private static final List<String> POWERLESS =
      List.of("setpriv", "--inh-caps=-all", "--bounding-set=-all");

  @TempDir private Path folder;

  private record Ended(int status, String said) {}

  private Ended bench(String... words) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("bench"));
    arguments.addAll(List.of(words));
    List<String> command = new ArrayList<>(POWERLESS);
    command.addAll(ChildJvm.command(List.of(), Main.class, arguments));
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), Files.readString(said, StandardCharsets.UTF_8));
  }

  @Test
  void whatNeedsTwoHostsIsLeftOutWithAReason() throws Exception {
    Ended ended = bench("loss", "--quick", "--no-install", "--json");
    assertThat(ended.said())
        .contains("\"missing\":\"hosts\"", "CAP_NET_ADMIN", "nothing could be measured")
        .doesNotContain("\"metric\"");
    assertThat(ended.status()).isEqualTo(Main.FAILED);
  }
}
