package io.busbar.wire;

import java.lang.foreign.MemorySegment;

/**
 * The seam where a frame is sealed on its way out and opened on its way in. The seal's 24 bytes
 * follow the payload: a counter of 8 that never repeats under a key, and a tag of 16. Frames are
 * sealed over header, payload and checksum, whole, in one segment. The header is protected but
 * stays readable, for it is read before the seal is opened; what follows it may be enciphered in
 * place.
 */
public interface Seal {
  /** Bytes of the frame counter, the seal's first field. */
  int COUNTER_BYTES = 8;

  /** Bytes of the tag, behind the counter. */
  int TAG_BYTES = 16;

  /** Bytes that a seal adds to a frame. */
  int BYTES = COUNTER_BYTES + TAG_BYTES;

  /** No seal: nothing is sealed, and what comes sealed is refused. */
  Seal NONE =
      new Seal() {
        @Override
        public boolean active() {
          return false;
        }

        @Override
        public void seal(MemorySegment frame, long at, int length) {
          throw new IllegalStateException("this seal is not active; nothing can be sealed with it");
        }

        @Override
        public boolean open(MemorySegment frame, long at, int length) {
          return false;
        }
      };

  /** Whether frames leave sealed, and must come sealed. */
  boolean active();

  /** Seals {@code length} bytes at {@code at}, and writes {@link #BYTES} bytes behind them. */
  void seal(MemorySegment frame, long at, int length);

  /** Opens {@code length} bytes at {@code at} by the {@link #BYTES} behind them; false: forged. */
  boolean open(MemorySegment frame, long at, int length);
}
