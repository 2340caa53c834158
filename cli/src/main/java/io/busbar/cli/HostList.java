package io.busbar.cli;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The hosts of a job, as people list them.
 *
 * @param slots the host of each rank
 */
record HostList(List<String> slots) {
  private static final int SLOTS_MAX = 1024;

  /** Each host that is found tells of the rest. */
  private static final int SEEDS_MAX = 16;

  /** A host, slots after a colon, and what else a line of a file says. */
  private static final Pattern ENTRY =
      Pattern.compile("([^-:=,\\s'\"$`\\\\][^:=,\\s'\"$`\\\\]*)(?::(\\S+))?(.*)");

  /** As Open MPI has it: {@code slots=2 max_slots=4}. */
  private static final Pattern WORD = Pattern.compile("\\s+(slots|max[_-]slots)\\s*=\\s*(\\S+)");

  /** Reads one with commas. */
  static HostList parse(String text) {
    List<String> slots = new ArrayList<>();
    for (String entry : text.split(",", -1)) {
      Matcher parts = ENTRY.matcher(entry);
      if (!parts.matches() || !parts.group(3).isEmpty()) {
        throw wrong(entry, "is no host; write HOST or HOST:SLOTS");
      }
      add(slots, entry, parts.group(1), slots(entry, parts.group(2)));
    }
    return new HostList(slots);
  }

  /**
   * Reads one with a host in each line, as Open MPI and MPICH have it: {@code host}, {@code
   * host:2}, or {@code host slots=2 max_slots=4}; what follows a # is a remark. Lines of one host
   * add up.
   */
  static HostList read(Path file) throws IOException {
    List<String> slots = new ArrayList<>();
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceFirst("#.*", "").strip();
      if (!line.isEmpty()) {
        try {
          addLine(slots, line);
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(
              "%s, line %d: %s".formatted(file, i + 1, e.getMessage()), e);
        }
      }
    }
    if (slots.isEmpty()) {
      throw new IllegalArgumentException("%s names no host; write one in a line".formatted(file));
    }
    return new HostList(slots);
  }

  private static void addLine(List<String> slots, String line) {
    Matcher parts = ENTRY.matcher(line);
    if (!parts.matches()) {
      throw wrong(line, "is no host; write HOST, HOST:SLOTS or HOST slots=SLOTS");
    }
    String given = parts.group(2);
    String most = null;
    Matcher word = WORD.matcher(parts.group(3));
    int end = 0;
    while (end < parts.group(3).length()) {
      if (!word.find(end) || word.start() != end) {
        throw wrong(line, "has words that are not known; slots=N and max_slots=N may follow");
      }
      end = word.end();
      if (!word.group(1).equals("slots")) {
        most = word.group(2);
      } else if (given == null) {
        given = word.group(2);
      } else {
        throw wrong(line, "says twice how many slots there are");
      }
    }
    int count = slots(line, given);
    if (most != null && slots(line, most) < count) {
      throw wrong(line, "has more slots than max_slots");
    }
    add(slots, line, parts.group(1), count);
  }

  /** One slot where nothing is said. */
  private static int slots(String entry, @Nullable String text) {
    if (text == null) {
      return 1;
    }
    if (!text.matches("[0-9]{1,9}")) {
      throw wrong(entry, "has no number of slots: " + text);
    }
    return Integer.parseInt(text);
  }

  private static void add(List<String> slots, String entry, String host, int count) {
    if (count < 1 || slots.size() + count > SLOTS_MAX) {
      throw wrong(
          entry,
          "has %d slots; allowed: 1 to %d, of all hosts together".formatted(count, SLOTS_MAX));
    }
    slots.addAll(Collections.nCopies(count, host));
  }

  private static IllegalArgumentException wrong(String entry, String why) {
    return new IllegalArgumentException("'%s' %s".formatted(entry, why));
  }

  /**
   * Addresses at which some of them can be asked. A name that only ssh knows has none here; nor has
   * the own host where its name is that of the loopback.
   */
  List<String> seeds() {
    List<String> seeds = new ArrayList<>();
    slots.stream().distinct().limit(SEEDS_MAX).forEach(host -> addAddress(seeds, host));
    return seeds;
  }

  private static void addAddress(List<String> seeds, String host) {
    try {
      Arrays.stream(InetAddress.getAllByName(host.substring(host.indexOf('@') + 1)))
          .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
          .findFirst()
          .ifPresent(address -> seeds.add(address.getHostAddress()));
    } catch (UnknownHostException e) {
      // ssh knows it, or says that there is no such host.
    }
  }
}
