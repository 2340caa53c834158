package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys, incarnations and the cluster's name. */
class NamesTest {
  @ParameterizedTest
  @CsvSource({
    "'',       cbf29ce484222325",
    "a,        af63dc4c8601ec8c",
    "b,        af63df4c8601f1a5",
    "foo,      dcb27518fed9d577",
    "foobar,   85944171f73967e8",
  })
  void clusterNameIsFnv1a(String name, String hash) {
    assertEquals(hash, Long.toHexString(ClusterName.hash(name)));
  }

  @Test
  void clusterNameHashesUtf8AsUnsignedBytes() {
    // U+00FC is C3 BC in UTF-8, both above 127.
    long hash = 0xCBF2_9CE4_8422_2325L;
    hash = (hash ^ 0xC3) * 0x100_0000_01B3L;
    hash = (hash ^ 0xBC) * 0x100_0000_01B3L;
    assertEquals(hash, ClusterName.hash("\u00FC"));
  }

  @Test
  void keyGivesBackItsParts() {
    Random random = new Random(1);
    for (int i = 0; i < 100_000; i++) {
      int index = random.nextInt(Key.INDEX_LIMIT);
      int generation = random.nextInt(Key.GENERATION_LIMIT);
      long incarnation = random.nextLong();
      long key = Key.of(index, generation, incarnation);
      assertEquals(index, Key.index(key));
      assertEquals(generation, Key.generation(key));
      assertEquals(Incarnation.keyBits(incarnation), Key.incarnationBits(key));
    }
  }

  @Test
  void keyPartsDoNotReachIntoEachOther() {
    long full = Key.of(Key.INDEX_LIMIT - 1, Key.GENERATION_LIMIT - 1, 1);
    assertEquals(Incarnation.keyBits(1), Key.incarnationBits(full));
    assertEquals(0, Key.index(Key.of(Key.INDEX_LIMIT, 0, 1)));
    assertEquals(0, Key.generation(Key.of(0, Key.GENERATION_LIMIT, 1)));
    assertEquals(0, Key.index(Key.of(0, Key.GENERATION_LIMIT - 1, 1)));
  }

  @Test
  void keyTextNamesIndexGenerationAndLife() {
    assertEquals("16777215.65535.ffffff", Key.text(-1));
    assertEquals("5.1.00c0de", Key.text(Sample.OTHER_KEY));
  }

  @Test
  void incarnationHoldsTimeAboveRandom() {
    long incarnation = Incarnation.of(0x123_4567_89ABL, 0xF_FFFFL);
    assertEquals(0x1234_5678_9ABF_FFFFL, incarnation);
    assertEquals(Incarnation.of(5, 3), Incarnation.of(5, 3 | 1 << 20));
    assertTrue(Incarnation.of(6, 0) > Incarnation.of(5, 0xF_FFFF));
  }

  @Test
  void incarnationIsNeverUnknown() {
    assertNotEquals(Incarnation.UNKNOWN, Incarnation.of(0, 0));
    assertNotEquals(Incarnation.UNKNOWN, Incarnation.of(1L << 44, 1L << 20));
    assertEquals("unknown", Incarnation.text(Incarnation.UNKNOWN));
    assertEquals("ffffffffffffffff", Incarnation.text(-1));
  }

  /** 24 bits for 4096 lives: two equal ones are to be expected about once in two runs. */
  @Test
  void livesAMomentApartHaveOtherKeyBits() {
    long start = 1_780_000_000_000L;
    assertDistinct(i -> Incarnation.of(start + i, 0x12345));
    assertDistinct(i -> Incarnation.of(start, i));
    assertDistinct(i -> Incarnation.of(start + i * 86_400_000L, 0x12345));
  }

  private static void assertDistinct(LongUnaryOperator life) {
    Set<Integer> bits = new HashSet<>();
    for (int i = 0; i < 4096; i++) {
      int drawn = Incarnation.keyBits(life.applyAsLong(i));
      assertTrue(drawn >= 0 && drawn < 1 << 24);
      bits.add(drawn);
    }
    assertTrue(bits.size() >= 4090, () -> "only " + bits.size() + " of 4096 differ");
  }

  @Test
  void diagnosesKeepTheirNumbers() {
    for (Diagnosis diagnosis : Diagnosis.values()) {
      assertTrue(Diagnosis.isKnown(diagnosis.number()));
      assertEquals(diagnosis, Diagnosis.of(diagnosis.number()));
    }
    assertTrue(!Diagnosis.isKnown(0) && !Diagnosis.isKnown(Diagnosis.values().length + 1));
  }
}
