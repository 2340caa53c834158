package io.busbar.lab.bed;

import java.util.List;

/**
 * A host of a pair on one of its other cables.
 *
 * @param host the host
 * @param deviceName its interface there
 * @param addressText its IPv4 address there
 */
record TwinHost(TestHost host, String deviceName, String addressText) implements Host {
  @Override
  public String name() {
    return host.name();
  }

  @Override
  public Host onCable(int cable) {
    return host.onCable(cable);
  }

  @Override
  public long sentBytes() {
    return host.counters(deviceName).txBytes();
  }

  @Override
  public HostProcess start(List<String> command) {
    return host.start(command);
  }

  @Override
  public HostProcess java(List<String> options, Class<?> main, List<String> arguments) {
    return host.java(options, main, arguments);
  }
}
