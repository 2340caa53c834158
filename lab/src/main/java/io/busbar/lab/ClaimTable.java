package io.busbar.lab;

import io.busbar.transport.FrameClaims;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Frames of a node's ring that its transport, or the program above it, keeps. A frame that is given
 * back is overwritten, so that whoever still reads it reads nonsense.
 */
final class ClaimTable implements FrameClaims {
  private final @Nullable SimFrame[] frames;
  private final int[] counts;
  private int size;

  ClaimTable(int max) {
    frames = new @Nullable SimFrame[max + 1];
    counts = new int[max + 1];
  }

  int size() {
    return size;
  }

  /** Offers a frame for claiming while it is delivered; -1 when the quota is spent. */
  long offer(SimFrame frame) {
    for (int i = 0; i < frames.length - 1; i++) {
      if (frames[i] == null) {
        frames[i] = frame;
        counts[i] = 0;
        return i;
      }
    }
    frames[frames.length - 1] = frame;
    return -1;
  }

  /** The delivery is over: a frame that nobody claimed goes back. */
  void settle(long offered, Network network) {
    int i = offered < 0 ? frames.length - 1 : (int) offered;
    SimFrame frame = frames[i];
    if (frame == null) {
      return;
    }
    if (offered >= 0 && counts[i] > 0) {
      size++;
      return;
    }
    frames[i] = null;
    network.release(frame);
  }

  @Override
  public boolean claim(long frame) {
    counts[(int) frame]++;
    return true;
  }

  @Override
  public void release(long frame) {
    int i = (int) frame;
    if (frames[i] == null || counts[i] == 0) {
      throw new IllegalStateException("frame " + frame + " was not claimed");
    }
    counts[i]--;
  }

  /** Gives back what has been released since. */
  void settleAll(Network network) {
    for (int i = 0; i < frames.length - 1; i++) {
      SimFrame frame = frames[i];
      if (frame != null && counts[i] == 0) {
        frames[i] = null;
        size--;
        if (frame.references == 1) {
          frame.bytes.fill((byte) 0xDD);
        }
        network.release(frame);
      }
    }
  }

  /** The node has crashed: nothing is claimed any more. */
  void forget(Network network) {
    Arrays.fill(counts, 0);
    settleAll(network);
  }
}
