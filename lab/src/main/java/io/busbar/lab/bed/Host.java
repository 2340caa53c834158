package io.busbar.lab.bed;

import java.util.List;

/** Where processes run: a host of a bed, or the machine itself. */
public interface Host {
  /** The name of the host for the programs in it. */
  String name();

  /** Its Ethernet interface; empty when it has no cable. */
  String deviceName();

  /** Its IPv4 address there; the loopback's when it has no cable. */
  String addressText();

  /**
   * The same host, seen on another of its cables: what is attached to one, such as a program that
   * takes frames out of it, does not meet what runs over another. Itself for the first, 0, and when
   * it has but one.
   */
  Host onCable(int cable);

  /** Bytes that left over its cable; 0 without one. */
  long sentBytes();

  /** Starts a command; it ends with this JVM at the latest. */
  HostProcess start(List<String> command);

  /**
   * Starts a program in a JVM of its own: this runtime, these modules, this class path.
   *
   * @param options for that JVM, such as {@code -Xmx64m}
   */
  HostProcess java(List<String> options, Class<?> main, List<String> arguments);
}
