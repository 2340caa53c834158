package io.busbar.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Wireshark without its windows, with {@code docs/wire/busbar.lua}. */
public final class Tshark {
  private static final String EXPERT = "_ws.expert.message";

  private Tshark() {}

  /** Skips a test where there is no tshark, and says so; in continuous integration it fails. */
  public static void need() throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder("tshark", "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertThat(process.waitFor()).isZero();
    } catch (IOException e) {
      String reason = "this test needs the command tshark (apt-get install tshark)";
      if ("1".equals(System.getenv("BUSBAR_REQUIRE_PRIVILEGED"))) {
        fail(reason + ", and BUSBAR_REQUIRE_PRIVILEGED=1 forbids to skip it");
      }
      System.out.println("skipped: " + reason);
      abort(reason);
    }
  }

  /**
   * What it reads of each frame of a capture, by the names of fields; several values of one field
   * with commas between them. Fails when it complains, or the script does.
   */
  public static List<Map<String, String>> read(Path capture, String... fields)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", capture.toString()));
    command.addAll(List.of("-X", "lua_script:" + script(), "-T", "fields"));
    List<String> names = new ArrayList<>(List.of(fields));
    names.add(EXPERT);
    for (String name : names) {
      command.addAll(List.of("-e", name));
    }
    Path complaints = capture.resolveSibling(capture.getFileName() + ".err");
    Process process = new ProcessBuilder(command).redirectError(complaints.toFile()).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(Files.readString(complaints)).isZero();
    assertThat(Files.readString(complaints)).doesNotContainIgnoringCase("lua");
    List<Map<String, String>> rows = new ArrayList<>();
    for (String line : output.lines().toList()) {
      String[] values = line.split("\t", -1);
      Map<String, String> row = new LinkedHashMap<>();
      for (int i = 0; i < values.length; i++) {
        row.put(names.get(i), values[i]);
      }
      assertThat(row.get(EXPERT)).doesNotContain("Lua");
      rows.add(row);
    }
    return rows;
  }

  /** Whether a frame is marked as malformed. */
  public static boolean isRefused(Map<String, String> row) {
    return row.getOrDefault(EXPERT, "").contains("A node would refuse this frame");
  }

  private static Path script() {
    return inRepository(Path.of("docs", "wire", "busbar.lua"));
  }

  /** Where a file or folder of the repository is. */
  static Path inRepository(Path path) {
    Path from = Path.of("").toAbsolutePath();
    for (Path at = from; at != null; at = at.getParent()) {
      if (Files.exists(at.resolve(path))) {
        return at.resolve(path);
      }
    }
    throw new IllegalStateException("no %s above %s".formatted(path, from));
  }
}
