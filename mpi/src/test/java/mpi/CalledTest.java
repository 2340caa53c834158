package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Says which members of the two interfaces no test program calls, by their names. */
class CalledTest {
  private static final Path PROGRAMS = Path.of("..", "cli", "src", "test", "resources", "programs");

  /** Internals of MPJ Express. */
  private static final Set<String> INTERNALS = Set.of("finalize", "getByteSize");

  /** What refuses: {@link RefusalsTest} calls it. */
  private static final Set<String> LATER = Set.of("Win", "File", "FileView");

  private static final Set<String> OF_PROCESSES =
      Set.of(
          "openPort",
          "closePort",
          "accept",
          "connect",
          "publishName",
          "unpublishName",
          "lookupName",
          "spawn",
          "spawnMultiple");

  /** What ends a program; other tests call it. */
  private static final Set<String> ENDS = Set.of("Abort", "abort");

  private static final Pattern METHOD = Pattern.compile("([\\w.]+)\\.(\\w+)\\(.*");

  private static String programs() throws IOException {
    try (Stream<Path> files = Files.list(PROGRAMS)) {
      return files.sorted().map(CalledTest::text).collect(Collectors.joining("\n"));
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> lines(String list) throws IOException {
    try (InputStream in = Objects.requireNonNull(CalledTest.class.getResourceAsStream(list))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static boolean isCalled(String programs, String name) {
    return Pattern.compile("[.:\\s(]" + name + "\\b").matcher(programs).find();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/mpijava-1.2-methods.txt", "/api/openmpi-java-methods.txt"})
  void everyMemberIsCalledBySomeProgram(String list) throws Exception {
    String programs = programs();
    Set<String> missing = new TreeSet<>();
    for (String line : lines(list)) {
      Matcher m = METHOD.matcher(line);
      if (m.matches()
          && !INTERNALS.contains(m.group(2))
          && !LATER.contains(m.group(1))
          && !OF_PROCESSES.contains(m.group(2))
          && !ENDS.contains(m.group(2))
          && !isCalled(programs, m.group(2))) {
        missing.add(m.group(1) + "." + m.group(2));
      }
    }
    assertThat(missing).as("members that no test program calls").isEmpty();
  }
}
