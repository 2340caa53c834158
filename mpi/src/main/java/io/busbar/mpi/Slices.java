package io.busbar.mpi;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.Buffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What lies before slices of buffers: a datatype may reach back over the beginning of a slice into
 * the buffer that it was cut from. A slice is remembered for as long as somebody else holds it.
 */
public final class Slices {
  private static final Map<Key, Whole> KNOWN = new ConcurrentHashMap<>();
  private static final ReferenceQueue<Buffer> GONE = new ReferenceQueue<>();

  private Slices() {}

  /**
   * What a slice was cut from.
   *
   * @param memory all of it
   * @param at the byte of it where the slice begins
   */
  record Whole(MemorySegment memory, long at) {}

  /** A buffer as itself, whatever it holds. */
  private static final class Key extends WeakReference<Buffer> {
    private final int hash;

    Key(Buffer buffer) {
      super(buffer, GONE);
      hash = System.identityHashCode(buffer);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      return this == other || (other instanceof Key key && get() != null && refersTo(key.get()));
    }
  }

  /** Remembers where a slice of a direct buffer was cut; of an array, it is known anyway. */
  public static <T extends Buffer> T remember(T slice, Buffer of, int elements) {
    for (Reference<?> gone = GONE.poll(); gone != null; gone = GONE.poll()) {
      Whole _ = KNOWN.remove(gone);
    }
    if (slice.isDirect()) {
      Whole before = whole(of);
      long at = (long) elements * UserMemory.elementBytes(slice);
      MemorySegment all = UserMemory.segment(of);
      if (before != null) {
        Whole _ = KNOWN.put(new Key(slice), new Whole(before.memory(), before.at() + at));
      } else if (all != null) {
        Whole _ = KNOWN.put(new Key(slice), new Whole(all, at));
      }
    }
    return slice;
  }

  /** What memory was cut from; null if it is nothing's part. */
  static @Nullable Whole whole(Object memory) {
    if (!(memory instanceof Buffer buffer)) {
      return null;
    }
    if (buffer.hasArray()) {
      MemorySegment all = UserMemory.segment(buffer.array());
      long at = (long) buffer.arrayOffset() * UserMemory.elementBytes(buffer);
      return all == null || at == 0 ? null : new Whole(all, at);
    }
    return KNOWN.isEmpty() ? null : KNOWN.get(new Key(buffer));
  }
}
