package io.busbar.cli;

import io.busbar.lab.bed.TestHost;
import io.busbar.node.Launchers;
import io.busbar.node.NodeConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * On this machine.
 *
 * @param prefix what its command begins with
 * @param environment what it is told there
 */
record LocalSeat(List<String> prefix, Map<String, String> environment) implements Seat {
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  /** On this host, as any other process. */
  static final LocalSeat HERE = new LocalSeat(List.of(), Map.of());

  /** In a host of a test bed. */
  static LocalSeat in(TestHost host) {
    return new LocalSeat(
        List.of("ip", "netns", "exec", host.name()),
        Map.of(NodeConfig.HOST, host.address4().getHostAddress()));
  }

  /** The same place, where the process is told something more. */
  LocalSeat with(String name, String value) {
    Map<String, String> more = new HashMap<>(environment);
    more.put(name, value);
    return new LocalSeat(prefix, more);
  }

  @Override
  public String where() {
    return prefix.isEmpty() ? hostName() : prefix.getLast();
  }

  private static String hostName() {
    try {
      return Files.readString(HOST_NAME).strip();
    } catch (IOException e) {
      return "this host";
    }
  }

  @Override
  public boolean isHere() {
    return true;
  }

  @Override
  public ProcessBuilder prepare(List<String> program, Map<String, String> told) {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(program);
    ProcessBuilder builder = new ProcessBuilder(command);
    boolean _ = builder.environment().keySet().removeAll(Launchers.variables());
    builder.environment().putAll(environment);
    builder.environment().putAll(told);
    return builder;
  }
}
