package io.busbar.lab.bed;

import java.util.List;

/** What a host's interface has counted. */
public record LinkCounters(
    long rxBytes, long rxPackets, long rxDrops, long txBytes, long txPackets, long txDrops) {

  /** Reads them from the text of {@code /proc/net/dev}. */
  static LinkCounters parse(String text, String device) {
    for (String line : text.lines().toList()) {
      int colon = line.indexOf(':');
      if (colon >= 0 && line.substring(0, colon).strip().equals(device)) {
        List<Long> columns =
            List.of(line.substring(colon + 1).strip().split("\\s+")).stream()
                .map(Long::valueOf)
                .toList();
        // Each direction: bytes, packets, errors, drops and four that say nothing about a veth.
        return new LinkCounters(
            columns.get(0),
            columns.get(1),
            columns.get(3),
            columns.get(8),
            columns.get(9),
            columns.get(11));
      }
    }
    throw new TestBedException("there is no interface %s in:\n%s".formatted(device, text));
  }

  /** What was counted since then. */
  public LinkCounters minus(LinkCounters before) {
    return new LinkCounters(
        rxBytes - before.rxBytes,
        rxPackets - before.rxPackets,
        rxDrops - before.rxDrops,
        txBytes - before.txBytes,
        txPackets - before.txPackets,
        txDrops - before.txDrops);
  }
}
