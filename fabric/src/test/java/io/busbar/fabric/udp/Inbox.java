package io.busbar.fabric.udp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.FrameReceiver;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Copies what arrives. */
final class Inbox implements FrameReceiver {
  private static final long PATIENCE_NS = 5_000_000_000L;
  private static final int BUDGET = 64;

  /** The bytes of each frame. */
  final List<byte[]> frames = new ArrayList<>();

  /** Who sent each frame. */
  final List<Integer> peers = new ArrayList<>();

  @Override
  public void onFrame(int peer, MemorySegment memory, long offset, int length, long frame) {
    frames.add(memory.asSlice(offset, length).toArray(JAVA_BYTE));
    peers.add(peer);
  }

  /** Polls until so many frames are here in all. */
  void await(UdpNic nic, int count) {
    long start = System.nanoTime();
    while (frames.size() < count && System.nanoTime() - start < PATIENCE_NS) {
      int _ = nic.poll(this, BUDGET);
    }
    assertThat(frames).hasSize(count);
  }
}
