package io.busbar.fabric;

/** Where an interface is reached. Each carrier has its own kind, and a text that it can read. */
public interface NicAddress {
  /** The carrier and the place, as {@code udp:10.0.0.1:7009}. */
  String text();
}
