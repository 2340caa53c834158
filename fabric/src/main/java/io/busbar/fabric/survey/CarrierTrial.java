package io.busbar.fabric.survey;

import java.util.List;

/**
 * What came of trying a carrier.
 *
 * @param carrier {@code shm}, {@code udp}, {@code packet}, {@code xdp}
 * @param usable whether a frame went through; of raw Ethernet, whether it can be opened
 * @param verdict in a sentence: what it can do, or why not and what to do
 * @param frameBytesMax the longest frame; 0 when it is not usable
 * @param facts what else was found out
 */
public record CarrierTrial(
    String carrier, boolean usable, String verdict, int frameBytesMax, List<Fact> facts) {
  /** Something found out about a carrier. */
  public record Fact(String name, String value) {}

  /** Copies the facts. */
  public CarrierTrial {
    facts = List.copyOf(facts);
  }

  static CarrierTrial unusable(String carrier, String why) {
    return new CarrierTrial(carrier, false, why, 0, List.of());
  }
}
