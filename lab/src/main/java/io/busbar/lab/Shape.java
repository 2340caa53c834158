package io.busbar.lab;

import io.busbar.transport.TransportConfig;
import java.util.SplittableRandom;

/** How the transports of a run are configured, drawn so that small bounds are met often. */
public record Shape(
    int frameBytesMax,
    boolean crc,
    long creditBudgetBytes,
    int windowBytesMax,
    int sendQueueMax,
    int statusEvery,
    int ackDelayUs,
    int claimsMax) {
  private static final int[] FRAMES = {256, 576, 1472, 1472, 1472, 4096, 8972};

  /** Draws one. */
  public static Shape draw(SplittableRandom random, boolean crc) {
    int frame = FRAMES[random.nextInt(FRAMES.length)];
    int windowFrames = 2 + random.nextInt(random.nextBoolean() ? 8 : 200);
    long budgetFrames = 4L + random.nextInt(random.nextInt(4) == 0 ? 8 : 2000);
    return new Shape(
        frame,
        crc || random.nextInt(4) == 0,
        budgetFrames * frame,
        windowFrames * frame,
        1 + random.nextInt(64),
        1 + random.nextInt(16),
        random.nextInt(4) == 0 ? random.nextInt(500) : 0,
        random.nextInt(3) == 0 ? 0 : random.nextInt(64));
  }

  /** Changes the defaults. */
  public TransportConfig.Builder apply(TransportConfig.Builder builder) {
    return builder
        .cluster(4711)
        .frameBytesMax(frameBytesMax)
        .crc(crc)
        .associationsMax(4096)
        .creditBudgetBytes(creditBudgetBytes)
        .windowBytesMax(windowBytesMax)
        .sendQueueMax(sendQueueMax)
        .statusEvery(statusEvery)
        .ackDelayUs(ackDelayUs);
  }

  /** Draws a link. */
  public static LinkSpec link(SplittableRandom random) {
    long[] rates = {100_000_000L, 1_000_000_000L, 10_000_000_000L, 10_000_000_000L};
    long rate = rates[random.nextInt(rates.length)];
    long latencyNs = 2_000 + random.nextLong(random.nextInt(4) == 0 ? 1_000_000 : 30_000);
    return new LinkSpec(rate, latencyNs, 8 + random.nextInt(200), 16 + random.nextInt(256));
  }
}
