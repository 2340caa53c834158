package io.busbar.lab.bed;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Debian's packages of peers: what a bench, or a test of all, needs of them is installed when it
 * first does.
 */
public final class Packages {
  private static final long PATIENCE_S = 600;
  private static final int ROOT = 0;

  private final boolean mayInstall;
  private final Consumer<String> progress;

  /**
   * Installs or does not.
   *
   * @param mayInstall whether what is missing may be installed
   * @param progress is told before something takes long
   */
  public Packages(boolean mayInstall, Consumer<String> progress) {
    this.mayInstall = mayInstall;
    this.progress = progress;
  }

  /**
   * Returns when this file is there; looked for in the folders of programs unless it is absolute.
   *
   * @throws IllegalStateException when it is not and cannot be had, with what to do
   */
  public void need(String file, List<String> packages) {
    if (isThere(file)) {
      return;
    }
    String install = "apt-get install %s".formatted(String.join(" ", packages));
    if (!mayInstall) {
      throw new IllegalStateException(
          "Error: %s is not installed: run '%s', or allow the bench to".formatted(file, install));
    }
    if (!isRoot()) {
      throw new IllegalStateException(
          "Error: %s is not installed, and only root may: run '%s'".formatted(file, install));
    }
    progress.accept("installing " + String.join(" ", packages));
    run(List.of("apt-get", "update"));
    List<String> command =
        new ArrayList<>(List.of("apt-get", "install", "--yes", "--no-install-recommends"));
    command.addAll(packages);
    run(command);
    if (!isThere(file)) {
      throw new IllegalStateException(
          "Error: '%s' has not brought %s".formatted(String.join(" ", command), file));
    }
  }

  private static boolean isThere(String file) {
    if (file.startsWith("/")) {
      return Files.isReadable(Path.of(file));
    }
    String path = System.getenv().getOrDefault("PATH", "/usr/bin");
    return List.of(path.split(File.pathSeparator, -1)).stream()
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, file)));
  }

  private static boolean isRoot() {
    try {
      return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == ROOT;
    } catch (IOException e) {
      return false;
    }
  }

  /** Runs a command to its end; what it said is told when it fails. */
  public static void run(List<String> command) {
    String words = String.join(" ", command);
    Path said = null;
    try {
      said = Files.createTempFile("busbar-", ".log");
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().put("DEBIAN_FRONTEND", "noninteractive");
      Process process =
          builder.redirectInput(new File("/dev/null")).redirectOutput(said.toFile()).start();
      if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(
            "Error: '%s' did not end in %d s".formatted(words, PATIENCE_S));
      }
      if (process.exitValue() != 0) {
        throw new IllegalStateException(
            "Error: '%s' failed: %s".formatted(words, lastLine(Files.readString(said))));
      }
    } catch (IOException e) {
      throw new IllegalStateException("Error: '%s' cannot run".formatted(words), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Error: interrupted in '%s'".formatted(words), e);
    } finally {
      if (said != null) {
        boolean _ = said.toFile().delete();
      }
    }
  }

  private static String lastLine(String text) {
    return text.strip().lines().reduce("", (_, line) -> line).strip();
  }
}
