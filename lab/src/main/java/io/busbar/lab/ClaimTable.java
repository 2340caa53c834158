package io.busbar.lab;

import io.busbar.fabric.Nic;
import org.jspecify.annotations.Nullable;

/**
 * Frames of an interface's ring that somebody keeps. A frame that is given back is overwritten, so
 * that whoever still reads it reads nonsense. A frame's name is its place and how often the place
 * was used: an old name opens nothing.
 */
final class ClaimTable {
  private static final byte NONSENSE = (byte) 0xDD;
  private static final int USES_MAX = (1 << (Nic.NAME_BITS - 32)) - 1;

  private final Network network;
  private final @Nullable SimFrame[] frames;
  private final int[] counts;
  private final int[] uses;
  private final int[] free;
  private int freeCount;

  /** The name of the frame that is being delivered. */
  private long offered = Nic.UNCLAIMABLE;

  ClaimTable(Network network, int max) {
    this.network = network;
    frames = new @Nullable SimFrame[max];
    counts = new int[max];
    uses = new int[max];
    free = new int[max];
    for (int i = 0; i < max; i++) {
      free[i] = i;
    }
    freeCount = max;
  }

  /** Frames that are kept. */
  int size() {
    return frames.length - freeCount - (offered == Nic.UNCLAIMABLE ? 0 : 1);
  }

  /** Offers a frame for claiming while it is delivered; its name, when there is room for it. */
  long offer(SimFrame frame) {
    if (freeCount > 0) {
      int place = free[--freeCount];
      frames[place] = frame;
      counts[place] = 0;
      uses[place] = (uses[place] + 1) & USES_MAX;
      offered = (long) uses[place] << 32 | place;
    }
    return offered;
  }

  /** The delivery is over: a frame that nobody claimed goes back. */
  void settle(SimFrame frame) {
    long name = offered;
    offered = Nic.UNCLAIMABLE;
    if (name == Nic.UNCLAIMABLE) {
      network.release(frame);
    } else if (counts[(int) name] == 0) {
      giveBack((int) name);
    }
  }

  boolean claim(long name) {
    if (name == Nic.UNCLAIMABLE) {
      return false;
    }
    int place = place(name);
    if (name != offered && counts[place] == 0) {
      throw new IllegalStateException("frame %x is over, and was not claimed".formatted(name));
    }
    counts[place]++;
    return true;
  }

  void release(long name) {
    int place = place(name);
    if (counts[place] == 0) {
      throw new IllegalStateException("frame %x was not claimed".formatted(name));
    }
    counts[place]--;
    if (counts[place] == 0 && name != offered) {
      SimFrame frame = frames[place];
      if (frame != null && frame.references == 1) {
        frame.bytes.fill(NONSENSE);
      }
      giveBack(place);
    }
  }

  private int place(long name) {
    int place = (int) name;
    if (place < 0 || place >= frames.length || uses[place] != name >>> 32) {
      throw new IllegalStateException("%x is no frame of this interface".formatted(name));
    }
    return place;
  }

  private void giveBack(int place) {
    SimFrame frame = frames[place];
    if (frame != null) {
      frames[place] = null;
      counts[place] = 0;
      free[freeCount++] = place;
      network.release(frame);
    }
  }

  /** Nothing is claimed any more. */
  void forget() {
    for (int place = 0; place < frames.length; place++) {
      if (offered == Nic.UNCLAIMABLE || place != (int) offered) {
        giveBack(place);
      }
    }
  }
}
