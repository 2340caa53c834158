package io.busbar.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bench.Figure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Page and summary: what is in the lines is in them, and nothing else is. */
class ReportTest {
  static List<String> recorded() {
    try (InputStream in =
        Objects.requireNonNull(ReportTest.class.getResourceAsStream("recorded.jsonl"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static Recording read(List<String> lines) {
    return RecordingReader.read("recorded.jsonl", lines);
  }

  private static String figure(double busbar, double ratio, String better) {
    return ("{\"bench\":\"x\",\"case\":\"shm\",\"bytes\":64,\"metric\":\"rate\",\"unit\":\"/s\","
            + "\"better\":\"%s\",\"systems\":{\"busbar\":%s,\"aeron\":2},"
            + "\"ratio\":{\"aeron\":[%s,%s,%s]},\"aims\":[{\"at_least\":1,\"of\":\"aeron\"}],"
            + "\"n\":1,\"noise\":0}")
        .formatted(better, busbar, ratio, ratio * 0.9, ratio * 1.1);
  }

  /** Each number that a line has is shown; another number gives another page. */
  @Test
  void numbersComeFromTheLines() {
    String line = figure(123.25, 61.5, "higher");
    String page = HtmlPage.of(read(List.of(line)));
    String summary = MarkdownSummary.of(read(List.of(line)));
    assertThat(page).contains("123.3 /s", "<td class=\"number\">123.25</td>", "61.5 x", "ahead");
    assertThat(summary).contains("123.3 /s", "61.5 x", "55.35 to 67.65", "ahead", "| met |");
    String changed = line.replace("123.25", "77.75").replace("[61.5,", "[59.5,");
    assertThat(HtmlPage.of(read(List.of(changed))))
        .contains("77.75", "59.5 x")
        .doesNotContain("123.")
        .doesNotContain("61.5 x");
    assertThat(MarkdownSummary.of(read(List.of(changed)))).contains("77.75 /s", "59.5 x");
  }

  /** Whoever is ahead: the page differs in numbers and words, and in no element or class. */
  @Test
  void aLossLooksLikeAWin() {
    String win = HtmlPage.of(read(List.of(figure(4, 2, "higher"))));
    String loss = HtmlPage.of(read(List.of(figure(1, 0.5, "higher"))));
    assertThat(win).contains("● met").contains(">ahead<").contains("1 met, 0 missed");
    assertThat(loss).contains("○ missed").contains(">behind<").contains("0 met, 1 missed");
    assertThat(tags(loss)).isEqualTo(tags(win));
  }

  private static List<String> tags(String page) {
    String body = page.substring(page.indexOf("<body>"));
    List<String> tags = new ArrayList<>();
    Matcher matcher = Pattern.compile("<(/?\\w+)(?: class=\"([^\"]*)\")?").matcher(body);
    while (matcher.find()) {
      tags.add(matcher.group());
    }
    return tags;
  }

  @Test
  void anIntervalThatHoldsOneIsLevel() {
    assertThat(HtmlPage.of(read(List.of(figure(2, 1.05, "higher"))))).contains(">level<");
    assertThat(HtmlPage.of(read(List.of(figure(2, 1.2, "lower"))))).contains(">behind<");
    assertThat(HtmlPage.of(read(List.of(figure(2, 0.8, "lower"))))).contains(">ahead<");
  }

  /** Nothing that stands in a line becomes part of the page's own language. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<script>alert(1)</script>",
        "</style></svg><img src=x onerror=alert(1)>",
        "\" onload=\"alert(1)",
        "' onload='alert(1)",
        "a|b`c`*d*_e_[f](javascript:g)![h](i)\n# j",
        "&lt;b&gt;",
        "https://example.invalid/x",
        "\u0000\u0007\u202ereversed",
        "%s%n%1$d",
      })
  void everyTextIsHarmless(String nasty) {
    String quoted = Json.quote(nasty);
    List<String> lines = new ArrayList<>();
    lines.add(
        "{\"run\":{\"date\":%1$s,\"command\":%1$s,\"quick\":true,\"machine\":{%1$s:%1$s}}}"
            .formatted(quoted));
    lines.add("{\"experiment\":%1$s,\"description\":%1$s,\"command\":%1$s}".formatted(quoted));
    for (int bytes : new int[] {64, 128}) {
      String line =
          """
          {"bench":%1$s,"case":%1$s,"bytes":%2$d,"metric":%1$s,"unit":%1$s,"better":"lower",
          "systems":{"busbar":1,%1$s:2},"ratio":{%1$s:[1,1,1]},
          "aims":[{"at_most":1,"of":%1$s}],"stage":%1$s,%3$s:1,"n":1,"noise":0}""";
      lines.add(line.formatted(quoted, bytes, Json.quote(nasty + "key")).replace("\n", ""));
      lines.add(
          line.formatted(quoted, bytes, Json.quote(nasty + "key"))
              .replace("\"better\":\"lower\"", "\"better\":\"higher\"")
              .replace("\"bytes\":128", "\"bytes\":64")
              .replace("\n", ""));
    }
    lines.add("{\"missing\":%1$s,\"why\":%1$s}".formatted(quoted));
    lines.add("{\"note\":%1$s,\"setup\":%1$s}".formatted(quoted));
    lines.add("{\"failed\":%1$s,\"why\":%1$s}".formatted(quoted));
    String page = HtmlPage.of(read(lines));
    String plain =
        HtmlPage.of(
            read(
                lines.stream()
                    .map(line -> line.replace(quoted, "\"x\""))
                    .map(line -> line.replace(Json.quote(nasty + "key"), "\"xkey\""))
                    .toList()));
    Set<String> known = new HashSet<>(tags(plain));
    known.addAll(List.of("<g", "</g")); // around a text that was cut
    assertThat(known).containsAll(tags(page));
    assertThat(attributes(page)).isEqualTo(attributes(plain));
    assertThat(page.substring(page.indexOf("<body>"))).doesNotContain("<img", "<script", "\u202e");

    String summary = MarkdownSummary.of(read(lines));
    assertThat(summary.replaceAll("(?s)`{3,}.*?`{3,}\n", ""))
        .doesNotContain("<", "\u202e")
        .doesNotContainPattern("(?<!\\\\)`")
        .doesNotContainPattern("(?<!\\\\)\\[")
        .doesNotContain("://");
    assertThat(summary.lines().filter(line -> line.startsWith("| ")))
        .allMatch(line -> Set.of(4, 12).contains(line.split("(?<!\\\\)\\|", -1).length - 2));
  }

  private static Set<String> attributes(String page) {
    Set<String> names = new HashSet<>();
    String body = page.substring(page.indexOf("<body>"));
    Matcher tag = Pattern.compile("<\\w+((?: [\\w-]+=\"[^\"]*\")*)/?>").matcher(body);
    while (tag.find()) {
      Matcher name = Pattern.compile(" ([\\w-]+)=\"").matcher(tag.group(1));
      while (name.find()) {
        names.add(name.group(1));
      }
    }
    return names;
  }

  @Test
  void thePageAsksNobodyForAnything() {
    String page = HtmlPage.of(read(recorded()));
    assertThat(page).doesNotContain("<script", "@import", "url(", "http:", "https:");
    assertThat(page).doesNotContainPattern("<[^>]* (src|srcset|data|action)=");
    assertThat(page.replace(" href=\"data:,\"", "")).doesNotContainPattern(" href=\"[^#]");
  }

  /** Everything that the recorded lines say is somewhere. */
  @Test
  void nothingIsLeftOut() {
    Recording recording = read(recorded());
    String page = HtmlPage.of(recording);
    String summary = MarkdownSummary.of(recording);
    for (Figure figure : recording.figures().toList()) {
      figure.systems().values().stream()
          .filter(Objects::nonNull)
          .forEach(value -> assertThat(page).contains(">" + Numbers.plain(value) + "</td>"));
    }
    for (String text :
        List.of(
            "Example CPU @ 2.00GHz",
            "2026-01-02T03:04:05Z",
            "./busbar bench latency",
            "9 met, 4 missed, 1 not measured",
            "not permitted; run as root",
            "over ipc; exclusive publications")) {
      assertThat(page).contains(text);
      assertThat(summary).contains(text);
    }
    assertThat(page.split("over ipc; exclusive", -1)).as("a note is shown once").hasSize(2);
    assertThat(page).contains("aeron (not measured)").contains("loss 5 %").contains("256 peers");
  }

  @Test
  void sizesMakeALineAndOneSizeMakesBars() {
    List<Plot> plots =
        Plot.of(read(recorded()).experiments().getFirst().figures(), PaperNumber.all());
    assertThat(plots)
        .extracting(Plot::title)
        .containsExactly(
            "shm: rtt_p50",
            "shm: bytes_per_message",
            "udp: rtt_p50",
            "udp: bytes_per_message",
            "udp-sleep, 64 B: rtt_p50");
    assertThat(plots).extracting(Plot::hasLines).containsExactly(true, true, true, true, false);
    assertThat(plots.getFirst().figures()).hasSize(8);
  }

  /** What MPI keeps of a bandwidth stands beside shares of a bandwidth, and beside no others. */
  @Test
  void wordsChooseThePapersToo() {
    String line =
        figure(0.8, 1, "higher").replace("\"rate\"", "\"share\"").replace("\"x\"", "\"layers\"");
    assertThat(HtmlPage.of(read(List.of(line)))).doesNotContain("MPI-FM");
    String of = line.replace("\"n\":1", "\"by\":\"bandwidth\",\"of\":\"messages\",\"n\":1");
    assertThat(HtmlPage.of(read(List.of(of)))).contains("MPI-FM 2.x 1998, 200 MHz PPro, Myrinet");
    assertThat(HtmlPage.of(read(List.of(of.replace("messages", "fabric")))))
        .doesNotContain("MPI-FM");
  }

  /** The papers' numbers stand beside the figures they are about, with year and hardware. */
  @Test
  void papersAreCited() {
    assertThat(PaperNumber.all())
        .isNotEmpty()
        .allSatisfy(
            paper -> {
              assertThat(paper.mark()).matches("[A-E][0-9]+");
              assertThat(paper.year()).matches("(19|20)[0-9]{2}\\+?|undated");
              assertThat(paper.hardware()).isNotBlank();
              assertThat(paper.says()).isNotBlank();
              assertThat(paper.benches()).isNotEmpty();
              assertThat(paper.value()).isPositive();
              assertThat(TextFit.width(paper.brief(), Svg.FONT)).isLessThan(LinePlot.LABEL_ROOM);
            });
    assertThat(HtmlPage.of(read(recorded())))
        .contains("FM 2.x 1998, 200 MHz PPro, Myrinet: 77 MB/s at most (D23)")
        .contains("QMP 1999+, 233 MHz Pentium II, 100 Mbit/s Ethernet: 92.2 Mbit/s of 100")
        .contains("Locabus 2003+, Linux kernel, Ethernet: 160 B of state a connection (E12)");
  }
}
