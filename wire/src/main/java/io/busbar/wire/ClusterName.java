package io.busbar.wire;

import java.nio.charset.StandardCharsets;

/** The 64 bits that stand for a cluster's name in FIRST, DIAG and the bus's frames. */
public final class ClusterName {
  private static final long BASIS = 0xCBF2_9CE4_8422_2325L;
  private static final long PRIME = 0x100_0000_01B3L;

  private ClusterName() {}

  /** FNV-1a over the name's UTF-8 bytes. */
  public static long hash(String name) {
    long hash = BASIS;
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xFF)) * PRIME;
    }
    return hash;
  }
}
