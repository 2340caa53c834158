package io.busbar.linux;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the system's C headers say, through gcc. */
final class Headers {
  private static final Pattern DEFINE = Pattern.compile("#define (\\w+) (\\d+)");

  private Headers() {}

  /** Lines of {@code headers.c}: the words before the numbers, to the numbers. */
  static Map<String, String> facts(Path folder) throws IOException, InterruptedException {
    Path source = folder.resolve("headers.c");
    try (InputStream in = Headers.class.getResourceAsStream("/headers.c")) {
      Files.copy(Objects.requireNonNull(in), source);
    }
    Path program = folder.resolve("headers");
    run(List.of("gcc", "-Wall", "-Werror", "-o", program.toString(), source.toString()));
    Map<String, String> facts = new HashMap<>();
    for (String line : run(List.of(program.toString())).split("\n", -1)) {
      int words = line.startsWith("field") ? 2 : 1;
      String[] all = line.split(" ", -1);
      if (all.length > words) {
        String value = String.join(" ", List.of(all).subList(all.length - words, all.length));
        facts.put(line.substring(0, line.length() - value.length() - 1), value);
      }
    }
    return facts;
  }

  /** The macros of a header that are plain numbers. */
  static Map<String, Integer> macros(String header) throws IOException, InterruptedException {
    Map<String, Integer> macros = new HashMap<>();
    List<String> command = List.of("gcc", "-E", "-dM", "-x", "c", "-include", header, "/dev/null");
    Matcher define = DEFINE.matcher(run(command));
    while (define.find()) {
      macros.put(define.group(1), Integer.parseInt(define.group(2)));
    }
    return macros;
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " failed:\n" + output);
    }
    return output;
  }
}
