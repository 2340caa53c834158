package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Full lookup, against a {@link HashMap}. */
class TranslationMapTest {
  private final TranslationMap map = new TranslationMap();

  private final QuietUser user = new QuietUser();
  private long nextKey = 1;

  private Association keyed(long remoteKey) {
    Association association = QuietUser.association(user, nextKey++);
    association.remoteKey = remoteKey;
    return association;
  }

  @Test
  void whatWasNotPutIsNotThere() {
    assertThat(map.get(7)).isNull();
    map.remove(keyed(7));
    assertThat(map.size()).isZero();
  }

  @Test
  void aKeyPutTwiceMeansTheLast() {
    Association last = keyed(7);
    map.put(keyed(7));
    map.put(last);
    assertThat(map.get(7)).isSameAs(last);
    assertThat(map.size()).isEqualTo(1);
  }

  @Test
  void aKeyThatMeansAnotherByNowStays() {
    Association former = keyed(7);
    Association last = keyed(7);
    map.put(former);
    map.put(last);
    map.remove(former);
    assertThat(map.get(7)).isSameAs(last);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void likeAHashMap(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<Long, Association> expected = new HashMap<>();
    Association[] all = new Association[600];
    for (int i = 0; i < all.length; i += 2) {
      long key = seed % 2 == 0 ? random.nextLong() : i + 1;
      all[i] = keyed(key);
      all[i + 1] = keyed(key);
    }
    for (int step = 0; step < 30_000; step++) {
      Association association = all[random.nextInt(all.length)];
      int bias = step / 5_000 % 2 == 0 ? 2 : 5;
      if (random.nextInt(7) < bias) {
        map.put(association);
        expected.put(association.remoteKey, association);
      } else {
        map.remove(association);
        expected.remove(association.remoteKey, association);
      }
      assertThat(map.size()).isEqualTo(expected.size());
      long probe = all[random.nextInt(all.length)].remoteKey;
      assertThat(map.get(probe)).isSameAs(expected.get(probe));
    }
    for (Association association : all) {
      long key = association.remoteKey;
      assertThat(map.get(key)).isSameAs(expected.get(key));
    }
  }
}
