package io.busbar.cli;

import io.busbar.node.Launchers;
import io.busbar.node.NodeConfig;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * On another host, by the system's {@code ssh}. There the program, its libraries and Busbar are at
 * the same paths as here. The process ends when its connection does.
 *
 * @param ssh the command that is given a host and a command line for it
 * @param host as that command takes it
 * @param environment what the process is told there
 */
record RemoteSeat(List<String> ssh, String host, Map<String, String> environment) implements Seat {
  private static final String OURS = "BUSBAR_";

  /** What is true of this host alone. */
  private static final Set<String> LOCAL = Set.of(NodeConfig.HOST, RunEnvironment.MEETING);

  /** Options that are followed by paths. */
  private static final Set<String> PATHS = Set.of("--module-path", "--class-path", "-jar");

  /**
   * Runs its arguments until they end, or the connection does: then the shell that runs this, or
   * its parent, is no more. A command in the background has no input unless it is given a copy.
   */
  private static final String RUN =
      """
      exec 3<&0
      "$@" <&3 3<&- &
      child=$!
      exec 3<&- </dev/null
      trap 'kill $child 2>/dev/null' HUP INT TERM
      {
        while [ -d /proc/$$ ] && [ -d /proc/$PPID ]; do sleep 0.5; done
        kill $child
        sleep 3
        kill -9 $child
      } >/dev/null 2>&1 &
      watch=$!
      wait $child
      status=$?
      while kill -0 $child 2>/dev/null; do
        wait $child
        status=$?
      done
      kill $watch
      exit $status
      """;

  @Override
  public String where() {
    return host;
  }

  @Override
  public boolean isHere() {
    return false;
  }

  @Override
  public ProcessBuilder prepare(List<String> program, Map<String, String> told) {
    Map<String, String> all = new TreeMap<>();
    System.getenv().forEach((name, value) -> putOurs(all, name, value));
    environment.forEach((name, value) -> putOurs(all, name, value));
    told.forEach((name, value) -> putOurs(all, name, value));
    String variables =
        all.entrySet().stream()
            .map(each -> each.getKey() + "=" + quoted(each.getValue()))
            .collect(Collectors.joining(" "));
    String script = quoted(look(program) + "export " + variables + "\n" + RUN);
    List<String> command = new ArrayList<>(ssh);
    command.addAll(List.of(host, "exec sh -c %s run %s".formatted(script, words(program))));
    return new ProcessBuilder(command);
  }

  /**
   * Forgets what another launcher told, goes to the working directory, and looks for what the
   * program needs.
   */
  private String look(List<String> program) {
    return """
        unset %s
        cd %s || exit 2
        for path in %s; do
          if [ ! -e "$path" ]; then
            echo "busbar run: %s has no $path; what runs there must be where it is here" >&2
            exit 2
          fi
        done
        """
        .formatted(
            String.join(" ", Launchers.variables()),
            quoted(Path.of("").toAbsolutePath().toString()),
            words(needed(program)),
            host);
  }

  private static void putOurs(Map<String, String> all, String name, String value) {
    if (name.startsWith(OURS) && !LOCAL.contains(name)) {
      all.put(name, value);
    }
  }

  /** The files and folders that a command names, as far as they are here. */
  private static List<String> needed(List<String> program) {
    List<String> needed = new ArrayList<>(List.of(program.getFirst()));
    for (int i = 1; i < program.size(); i++) {
      if (PATHS.contains(program.get(i - 1))) {
        Stream.of(program.get(i).split(File.pathSeparator, -1))
            .map(element -> ClassPath.place(Path.of(element)))
            .filter(Files::exists)
            .forEach(place -> needed.add(place.toString()));
      }
    }
    return needed;
  }

  private static String words(List<String> all) {
    return all.stream().map(RemoteSeat::quoted).collect(Collectors.joining(" "));
  }

  /** As one word of a shell. */
  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
