package io.busbar.cli;

import io.busbar.lab.bed.TestHost;
import io.busbar.node.NodeConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a process of a job runs.
 *
 * @param prefix what its command begins with
 * @param environment what it is told there
 */
record Seat(List<String> prefix, Map<String, String> environment) {
  /** On this host, as any other process. */
  static final Seat HERE = new Seat(List.of(), Map.of());

  /** In a host of a test bed. */
  static Seat in(TestHost host) {
    return new Seat(
        List.of("ip", "netns", "exec", host.name()),
        Map.of(NodeConfig.HOST, host.address4().getHostAddress()));
  }

  /** The same place, where the process is told something more. */
  Seat with(String name, String value) {
    Map<String, String> more = new HashMap<>(environment);
    more.put(name, value);
    return new Seat(prefix, more);
  }
}
