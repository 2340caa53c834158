package io.busbar.transport;

/**
 * How received frames are kept without a copy. A frame may be claimed more than once; each claim is
 * released once. Frames are named by the number that came with {@link Transport#onFrame}.
 */
public interface FrameClaims {
  /** A carrier whose frames cannot be kept: everything is copied. */
  FrameClaims NONE =
      new FrameClaims() {
        @Override
        public boolean claim(long frame) {
          return false;
        }

        @Override
        public void release(long frame) {
          throw new IllegalStateException("frame " + frame + " was never claimed");
        }
      };

  /** Keeps a frame; false when the quota of claims is spent: copy instead. */
  boolean claim(long frame);

  /** Gives a claim back. */
  void release(long frame);
}
