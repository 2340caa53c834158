package io.busbar.bench.contest;

import java.util.ArrayList;
import java.util.List;

/** What a JVM needs to run Aeron; no JVM of Busbar gets any of it. */
final class AeronOptions {
  private static final List<String> OPTIONS =
      List.of(
          "--add-modules=io.aeron.driver,io.aeron.client,org.agrona",
          "--add-opens=java.base/jdk.internal.misc=org.agrona",
          "--add-opens=java.base/sun.nio.ch=org.agrona",
          "-Dagrona.disable.bounds.checks=true");

  private AeronOptions() {}

  static List<String> with(List<String> others) {
    List<String> all = new ArrayList<>(others);
    all.addAll(OPTIONS);
    return all;
  }
}
