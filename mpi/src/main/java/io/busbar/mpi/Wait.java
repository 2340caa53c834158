package io.busbar.mpi;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a thread of a rank waits for.
 *
 * @param what receive, send, probe and so on
 * @param orOne whether one of the ranks is enough; else it needs all of them
 * @param ranks whom it waits for, as ranks of the world; none: it waits for its own process
 * @param tag with which tag; empty: none
 * @param communicator in which communicator; empty: none
 * @param call what the program called
 * @param place where it did
 * @param sinceMs since when, as {@link System#currentTimeMillis} has it
 */
public record Wait(
    String what,
    boolean orOne,
    List<Integer> ranks,
    String tag,
    String communicator,
    String call,
    String place,
    long sinceMs) {
  private static final int FIELDS = 8;

  /** For a file: one line. */
  String toLine() {
    String who = ranks.stream().map(String::valueOf).collect(Collectors.joining(","));
    return String.join(
        "\t",
        plain(what),
        Boolean.toString(orOne),
        who,
        plain(tag),
        plain(communicator),
        plain(call),
        plain(place),
        Long.toString(sinceMs));
  }

  private static String plain(String text) {
    return text.replaceAll("[\\t\\n\\r]", " ");
  }

  static Wait read(String line) {
    String[] fields = line.split("\t", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("no wait: " + line);
    }
    List<Integer> who =
        fields[2].isEmpty()
            ? List.of()
            : Arrays.stream(fields[2].split(",", -1)).map(Integer::valueOf).toList();
    return new Wait(
        fields[0],
        Boolean.parseBoolean(fields[1]),
        who,
        fields[3],
        fields[4],
        fields[5],
        fields[6],
        Long.parseLong(fields[7]));
  }

  /** Whom it waits for, for people, who know how many there are. */
  public String who(int size) {
    if (ranks.isEmpty()) {
      return "itself";
    }
    boolean isAnybody = orOne && ranks.size() >= Math.max(2, size - 1);
    return isAnybody
        ? "any"
        : ranks.stream().map(String::valueOf).collect(Collectors.joining(orOne ? " or " : ", "));
  }

  static List<Integer> all(Group group) {
    return IntStream.range(0, group.size()).mapToObj(group::node).toList();
  }
}
