package io.busbar.bus;

import io.busbar.wire.FrameView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Who reads a stream, in the order in which they are asked, and who was evicted from it. */
final class CastReaders {
  private final Map<Integer, CastReader> byId = new TreeMap<>();
  private final List<CastReader> inTurn = new ArrayList<>();

  /** Members that were evicted, with their lives, until they are taken in again. */
  private final Map<Integer, Long> outside = new TreeMap<>();

  private int turn;

  // Of all readers together, as of the last look.
  private long lowestHas = CastCore.NEVER;
  private long lowestLimit = CastCore.NEVER;

  int size() {
    return inTurn.size();
  }

  boolean isEmpty() {
    return inTurn.isEmpty();
  }

  /** In the order in which they are asked. */
  CastReader at(int place) {
    return inTurn.get(place);
  }

  @Nullable CastReader get(int id) {
    return byId.get(id);
  }

  /** The reader that says something, if it is one in this life. */
  @Nullable CastReader of(FrameView view) {
    CastReader reader = byId.get(view.from());
    return reader == null || reader.life != view.seq() ? null : reader;
  }

  /** In place of what was known of that node. */
  void add(CastReader reader) {
    boolean _ = remove(reader.id);
    byId.put(reader.id, reader);
    inTurn.add(reader);
  }

  /** Whether it was a reader; it is not outside, either, any more. */
  boolean remove(int id) {
    outside.remove(id);
    CastReader gone = byId.remove(id);
    return gone != null && inTurn.remove(gone);
  }

  void evict(CastReader reader) {
    boolean _ = remove(reader.id);
    outside.put(reader.id, reader.life);
  }

  boolean hasOutside() {
    return !outside.isEmpty();
  }

  /** Those who were evicted, as if they began where the stream ends. */
  List<CastReader> outside(long end, long messages) {
    List<CastReader> named = new ArrayList<>();
    outside.forEach((id, life) -> named.add(new CastReader(id, life, end, messages, 0)));
    return named;
  }

  /** Whose turn it is to answer; there is one. */
  CastReader inTurn() {
    return inTurn.get(turn % inTurn.size());
  }

  /** It was asked. */
  void nextTurn() {
    turn = (turn + 1) % inTurn.size();
  }

  /** All for whom something is so, in order. */
  List<CastReader> those(Predicate<CastReader> who) {
    return inTurn.stream().filter(who).toList();
  }

  /** Nobody is slow. */
  void forgetSlow() {
    inTurn.forEach(CastReader::forgetSlow);
  }

  /** Their sender did not hear them for so long. */
  void forgive(long ns) {
    inTurn.forEach(one -> one.forgive(ns));
  }

  /** Looks at what all of them have said. */
  void look() {
    lowestHas = CastCore.NEVER;
    lowestLimit = CastCore.NEVER;
    for (int i = 0; i < inTurn.size(); i++) {
      lowestHas = Math.min(lowestHas, inTurn.get(i).has);
      lowestLimit = Math.min(lowestLimit, inTurn.get(i).limit);
    }
  }

  /** The first frame that not all have said to have, as of the last {@link #look}. */
  long lowestHas() {
    return lowestHas;
  }

  /** The first frame that not all take yet, as of the last {@link #look}. */
  long lowestLimit() {
    return lowestLimit;
  }
}
