package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Incarnation;
import io.busbar.wire.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Slots, generations and the order in which slots come back. */
class AssociationTableTest {
  private static final long LIFE = 4_711;

  private final QuietUser user = new QuietUser();

  private static AssociationTable table(int slots) {
    return new AssociationTable(TransportConfig.builder(1, LIFE).associationsMax(slots).build());
  }

  private Association put(AssociationTable table) {
    Association association = QuietUser.association(user, table.nextKey());
    table.put(association);
    return association;
  }

  @Test
  void aKeyNamesSlotGenerationAndLife() {
    long key = put(table(8)).localKey;
    assertThat(Key.index(key)).isZero();
    assertThat(Key.generation(key)).isZero();
    assertThat(Key.incarnationBits(key)).isEqualTo(Incarnation.keyBits(LIFE));
  }

  @Test
  void onlyTheWholeKeyFinds() {
    AssociationTable table = table(8);
    Association first = put(table);
    assertThat(table.find(first.localKey)).isSameAs(first);
    assertThat(table.find(Key.of(0, 1, LIFE))).isNull();
    assertThat(table.find(Key.of(0, 0, LIFE + 1))).isNull();
    assertThat(table.find(Key.of(1, 0, LIFE))).isNull();
    assertThat(table.find(Key.of(Key.INDEX_LIMIT - 1, 0, LIFE))).isNull();
  }

  @Test
  void aFreedSlotComesBackWithTheNextGeneration() {
    AssociationTable table = table(1);
    Association first = put(table);
    table.remove(first);
    Association second = put(table);
    assertThat(second.localKey).isEqualTo(Key.of(0, 1, LIFE));
    assertThat(table.find(first.localKey)).isNull();
    assertThat(table.find(second.localKey)).isSameAs(second);
  }

  @Test
  void theSlotThatRestedLongestComesFirst() {
    AssociationTable table = table(4);
    List<Association> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(put(table));
    }
    for (int i : new int[] {2, 0, 3}) {
      table.remove(all.get(i));
    }
    assertThat(List.of(put(table), put(table), put(table)))
        .extracting(association -> Key.index(association.localKey))
        .containsExactly(2, 0, 3);
  }

  @Test
  void fullAtTheBound() {
    AssociationTable table = table(3);
    Association last = put(table);
    put(table);
    assertThat(table.isFull()).isFalse();
    put(table);
    assertThat(table.isFull()).isTrue();
    assertThat(table.inUse()).isEqualTo(3);
    table.remove(last);
    assertThat(table.isFull()).isFalse();
  }

  @Test
  void generationsReturnOnlyAfterAllHavePassed() {
    AssociationTable table = table(1);
    Association last = put(table);
    long first = last.localKey;
    for (int i = 1; i < Key.GENERATION_LIMIT; i++) {
      table.remove(last);
      last = put(table);
      assertThat(last.localKey).isNotEqualTo(first);
    }
    table.remove(last);
    assertThat(put(table).localKey).isEqualTo(first);
  }

  @Test
  void likeAListOfKeys() {
    SplittableRandom random = new SplittableRandom(2);
    AssociationTable table = table(500);
    List<Association> alive = new ArrayList<>();
    List<Long> dead = new ArrayList<>();
    for (int step = 0; step < 3_000; step++) {
      if (!table.isFull() && random.nextInt(5) < 3) {
        alive.add(put(table));
      } else if (!alive.isEmpty()) {
        Association gone = alive.remove(random.nextInt(alive.size()));
        table.remove(gone);
        dead.add(gone.localKey);
      }
      assertThat(table.inUse()).isEqualTo(alive.size());
    }
    assertThat(alive).allSatisfy(one -> assertThat(table.find(one.localKey)).isSameAs(one));
    assertThat(dead).hasSizeGreaterThan(500).allMatch(key -> table.find(key) == null);
  }
}
