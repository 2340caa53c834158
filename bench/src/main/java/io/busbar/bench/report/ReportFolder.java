package io.busbar.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a report goes: a folder with the lines, the page and the summary. */
public final class ReportFolder {
  private final Path folder;

  private ReportFolder(Path folder) {
    this.folder = folder;
  }

  /** Makes the folder, if it is not there. */
  public static ReportFolder create(Path folder) {
    try {
      return new ReportFolder(Files.createDirectories(folder));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot make the folder %s; name another with --out".formatted(folder), e);
    }
  }

  /** The lines of the run. */
  public Path lines() {
    return folder.resolve("results.jsonl");
  }

  /** The page. */
  public Path page() {
    return folder.resolve("index.html");
  }

  /** The summary. */
  public Path summary() {
    return folder.resolve("summary.md");
  }

  /** Writes page and summary. */
  public void write(Recording recording) {
    try {
      Files.writeString(page(), HtmlPage.of(recording));
      Files.writeString(summary(), MarkdownSummary.of(recording));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to %s: %s".formatted(folder, e.getMessage()), e);
    }
  }

  /** The verdicts in a line. */
  public static String verdicts(Recording recording) {
    StringBuilder words = new StringBuilder("aims:");
    Comparison.Tally.of(recording)
        .verdicts()
        .forEach((verdict, count) -> words.append(' ').append(count).append(' ').append(verdict));
    return words.toString();
  }
}
