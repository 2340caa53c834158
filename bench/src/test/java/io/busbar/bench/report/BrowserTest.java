package io.busbar.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a headless Chromium, wide and narrow, light and dark: plots are drawn, nothing
 * overlaps, nothing sticks out, nobody is asked for anything. It fails where there is no browser.
 */
@Tag("long")
class BrowserTest {
  private static final String INSTALL =
      "run bench/browser/install (as root where chromium is missing)";
  private static final Path SCRIPT = Path.of("browser/check.mjs");
  private static final Path MODULES = Path.of("target/browser");
  private static final int VIEWS = 4;

  @TempDir private Path folder;

  /** What the browser has to say about pages; each line begins with the page's name. */
  private List<String> look(Map<String, String> pages) throws IOException, InterruptedException {
    if (!Files.isDirectory(MODULES.resolve("node_modules/playwright-core"))) {
      fail("there is no playwright-core in bench/%s; %s".formatted(MODULES, INSTALL));
    }
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of("node", SCRIPT.toAbsolutePath().toString(), MODULES.toAbsolutePath().toString()));
    for (Map.Entry<String, String> page : pages.entrySet()) {
      String name = page.getKey() + ".html";
      Files.writeString(folder.resolve(name), page.getValue());
      command.add(name);
    }
    Path said = folder.resolve("said");
    Process process = start(command, said);
    if (!process.waitFor(5, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      fail("the browser was not done after five minutes");
    }
    String words = Files.readString(said, StandardCharsets.UTF_8);
    assertThat(words).as("all pages were seen; if not, " + INSTALL).contains("looked at ");
    return words.lines().toList();
  }

  private Process start(List<String> command, Path said) {
    try {
      return new ProcessBuilder(command)
          .directory(folder.toFile())
          .redirectErrorStream(true)
          .redirectOutput(said.toFile())
          .start();
    } catch (IOException e) {
      return fail("there is no node; install the Debian package nodejs, and " + INSTALL, e);
    }
  }

  private static String page() {
    return HtmlPage.of(ReportTest.read(ReportTest.recorded()));
  }

  @Test
  void everyPlotIsDrawnAndNothingOverlaps() throws IOException, InterruptedException {
    String page = page();
    int drawings = page.split("<svg", -1).length - 1;
    int texts = page.split("<text", -1).length - 1;
    List<String> lines = look(Map.of("page", page));
    assertThat(lines).hasSize(VIEWS);
    assertThat(lines)
        .allMatch(line -> line.contains(": looked at %d drawings, ".formatted(drawings)))
        .allMatch(line -> line.endsWith(" %d texts".formatted(texts)));
  }

  /** Each page has one fault, and the fault is found: what is never red shows nothing. */
  @Test
  void faultsAreFound() throws IOException, InterruptedException {
    String page = page();
    Map<String, String> pages = new LinkedHashMap<>();
    Map<String, String> faults = new LinkedHashMap<>();
    pages.put(
        "overlap",
        page.replaceFirst(
            "(?s)(<text class=\"tick\" x=\"\\d+).*?(</text>)",
            "$1.0\" y=\"12.0\">overlapping the unit</text>"));
    faults.put("overlap", "overlap in ");
    pages.put(
        "outside",
        page.replaceFirst("<text class=\"axis\" x=\"4.0\"", "<text class=\"axis\" x=\"400.0\""));
    faults.put("outside", "is outside of ");
    pages.put("empty", page.replaceFirst("(?s)(<svg[^>]*>).*?</svg>", "$1</svg>"));
    faults.put("empty", "shows nothing");
    pages.put(
        "flat",
        page.replaceFirst(
            "<svg class=\"plot lines\"", "<svg style=\"height:0\" class=\"plot lines\""));
    faults.put("flat", "has no size");
    pages.put("wide", page.replaceFirst("<h2", "<div style=\"width:1400px\">x</div><h2"));
    faults.put("wide", "the page is 14");
    pages.put("script", page.replaceFirst("<h2", "<script>nosuch()</script><h2"));
    faults.put("script", "error: nosuch is not defined");
    pages.put("image", page.replaceFirst("<h2", "<img src=\"nosuch.png\" alt=\"\"><h2"));
    faults.put("image", "it asked for file:");
    pages.put(
        "cell", page.replaceFirst("<dd>full", "<dd style=\"width:9px;white-space:nowrap\">full"));
    faults.put("cell", "does not fit into its place");
    pages.put("bright", page.replace("(prefers-color-scheme: dark)", "(min-width: 1px)"));
    faults.put("bright", "light and dark look the same");
    pages.put("pale", page.replace("--soft: #59606b", "--soft: #c9d0db"));
    faults.put("pale", "can hardly be read");
    List<String> lines = look(pages);
    faults.forEach(
        (name, fault) ->
            assertThat(lines)
                .as(name)
                .anyMatch(line -> line.startsWith(name + ".html") && line.contains(fault)));
  }
}
