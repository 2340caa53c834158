package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pieces behind gaps, against a sorted map. */
class HeldFramesTest {
  private final HeldFrames held = new HeldFrames();

  private record Piece(int length, int flags, MemorySegment segment, long at, long frame) {}

  private void add(long start, Piece piece) {
    held.add(start, piece.length, piece.flags, piece.segment, piece.at, piece.frame);
  }

  private static Piece piece(int number) {
    MemorySegment segment = MemorySegment.ofArray(new byte[1]);
    return new Piece(number + 1, number % 4, segment, number * 3L, number);
  }

  private void assertFirst(Map.Entry<Long, Piece> expected) {
    assertThat(held.firstStart()).isEqualTo(expected.getKey());
    Piece first =
        new Piece(
            held.firstLength(),
            held.firstFlags(),
            held.firstSegment(),
            held.firstOffset(),
            held.firstFrame());
    assertThat(first).isEqualTo(expected.getValue());
  }

  @Test
  void aPieceGoesIntoTheMiddle() {
    add(10, piece(1));
    add(30, piece(3));
    add(20, piece(2));
    assertThat(held.firstStart()).isEqualTo(10);
    held.removeFirst();
    assertThat(held.firstStart()).isEqualTo(20);
    held.removeFirst();
    assertThat(held.firstStart()).isEqualTo(30);
    held.removeFirst();
    assertThat(held.isEmpty()).isTrue();
  }

  @Test
  void growthKeepsTheOrderWhenTheFirstLiesInTheMiddle() {
    for (int i = 0; i < 8; i++) {
      add(i, piece(i));
    }
    for (int i = 0; i < 5; i++) {
      held.removeFirst();
    }
    for (int i = 8; i < 20; i++) {
      add(i, piece(i));
    }
    for (int i = 5; i < 20; i++) {
      assertThat(held.firstStart()).isEqualTo(i);
      assertThat(held.firstFrame()).isEqualTo(i);
      held.removeFirst();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void likeASortedMap(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<Long, Piece> expected = new TreeMap<>();
    for (int step = 0; step < 20_000; step++) {
      boolean adds = random.nextInt(expected.size() < 100 ? 3 : 5) < 2;
      long start = random.nextLong(1_000_000);
      if (adds && !expected.containsKey(start)) {
        Piece piece = piece(step);
        add(start, piece);
        expected.put(start, piece);
      } else if (!expected.isEmpty()) {
        assertFirst(expected.pollFirstEntry());
        held.removeFirst();
      }
      assertThat(held.size()).isEqualTo(expected.size());
    }
    while (!expected.isEmpty()) {
      assertFirst(expected.pollFirstEntry());
      held.removeFirst();
    }
    assertThat(held.isEmpty()).isTrue();
  }
}
