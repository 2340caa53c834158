package io.busbar.bench.contest;

import java.util.ArrayList;
import java.util.List;

/** What a JVM needs to run a peer; no JVM of Busbar gets any of it. */
final class PeerOptions {
  private static final List<String> AERON =
      List.of(
          "--add-modules=io.aeron.driver,io.aeron.client,org.agrona",
          "--add-opens=java.base/jdk.internal.misc=org.agrona",
          "--add-opens=java.base/sun.nio.ch=org.agrona",
          "-Dagrona.disable.bounds.checks=true");

  private PeerOptions() {}

  /** The others, and those of the peer with this name, if it is one. */
  static List<String> with(List<String> others, String contender) {
    List<String> all = new ArrayList<>(others);
    if (contender.startsWith("aeron-")) {
      all.addAll(AERON);
    }
    return all;
  }
}
