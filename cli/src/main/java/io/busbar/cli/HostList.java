package io.busbar.cli;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The hosts of a job, as people list them: {@code host[:slots]}.
 *
 * @param slots the host of each rank
 */
record HostList(List<String> slots) {
  private static final int SLOTS_MAX = 1024;

  /** Each host that is found tells of the rest. */
  private static final int SEEDS_MAX = 16;

  /** Reads one with commas. */
  static HostList parse(String text) {
    return of(Arrays.asList(text.split(",", -1)));
  }

  /** Reads one with a host in each line; what follows a # is a remark. */
  static HostList read(Path file) throws IOException {
    return of(
        Files.readAllLines(file).stream()
            .map(line -> line.replaceFirst("#.*", "").strip())
            .filter(line -> !line.isEmpty())
            .toList());
  }

  private static HostList of(List<String> entries) {
    List<String> slots = new ArrayList<>();
    for (String entry : entries) {
      if (!entry.matches("[^-:\\s'\"$`\\\\][^:\\s'\"$`\\\\]*(:[0-9]{1,4})?")) {
        throw new IllegalArgumentException(
            "'%s' is no host; write HOST or HOST:SLOTS".formatted(entry));
      }
      int colon = entry.indexOf(':');
      int count = colon < 0 ? 1 : Integer.parseInt(entry.substring(colon + 1));
      if (count < 1 || slots.size() + count > SLOTS_MAX) {
        throw new IllegalArgumentException(
            "'%s': slots are 1 to %d, those of all hosts together, too"
                .formatted(entry, SLOTS_MAX));
      }
      String host = colon < 0 ? entry : entry.substring(0, colon);
      for (int i = 0; i < count; i++) {
        slots.add(host);
      }
    }
    if (slots.isEmpty()) {
      throw new IllegalArgumentException("no host is named; write HOST or HOST:SLOTS");
    }
    return new HostList(slots);
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
