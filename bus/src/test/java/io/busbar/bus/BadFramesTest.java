package io.busbar.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.BusBlock;
import io.busbar.wire.Format;
import io.busbar.wire.MemberCard;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Whatever arrives, nothing breaks, and what breaks a rule changes nothing. */
class BadFramesTest extends BusHearing {
  /** Frames of all kinds: two members that find and lose each other and a third. */
  private static List<byte[]> samples() {
    Kept one = new Kept();
    Kept two = new Kept();
    Membership a = member(1, CLUSTER, one);
    Membership b = member(2, CLUSTER, two);
    Kept all = new Kept();
    for (long now = 0; now < 4_000 * MS; now += 10 * MS) {
      long _ = a.poll(now);
      long _ = b.poll(now);
      List<byte[]> fromA = List.copyOf(one.frames);
      List<byte[]> fromB = List.copyOf(two.frames);
      one.frames.clear();
      two.frames.clear();
      all.frames.addAll(fromA);
      all.frames.addAll(fromB);
      for (byte[] frame : now < 2_000 * MS ? fromA : List.<byte[]>of()) {
        boolean _ = hear(b, now, frame, two);
      }
      for (byte[] frame : fromB) {
        boolean _ = hear(a, now, frame, one);
      }
    }
    return all.frames;
  }

  @Test
  void allKindsAreAmongTheSamples() {
    assertThat(samples().stream().map(frame -> frame[0] & 0xF).distinct())
        .contains(8, 9, 10, 11, 12, 13);
  }

  @Test
  void aFrameThatBreaksARuleChangesNothing() {
    SplittableRandom random = new SplittableRandom(1);
    List<List<byte[]>> kinds = // each as often as the others, however many there are of it
        List.copyOf(
            samples().stream().collect(Collectors.groupingBy(frame -> frame[0] & 0xF)).values());
    Kept out = new Kept();
    Membership membership = member(7, CLUSTER, out);
    long refused = 0;
    for (int i = 0; i < 300_000; i++) {
      List<byte[]> samples = kinds.get(random.nextInt(kinds.size()));
      byte[] frame = samples.get(random.nextInt(samples.size())).clone();
      for (int flips = random.nextInt(4); flips > 0; flips--) {
        frame[random.nextInt(frame.length)] = (byte) random.nextInt(256);
      }
      int length = random.nextInt(3) == 0 ? random.nextInt(frame.length + 1) : frame.length;
      long now = 300 * MS + i * 1_000L;
      long hash = membership.viewHash();
      long number = membership.viewNumber();
      boolean taken = membership.onFrame(now, MemorySegment.ofArray(frame), 0, length, out::add);
      if (!taken) {
        refused++;
        assertThat(membership.viewHash()).isEqualTo(hash);
        assertThat(membership.viewNumber()).isEqualTo(number);
      }
      long _ = membership.poll(now);
      assertThat(membership.members().size()).isLessThanOrEqualTo(64);
      out.frames.clear();
    }
    assertThat(refused).isGreaterThan(10_000);
    assertThat(
            membership.count(BusCount.DROP_MALFORMED)
                + membership.count(BusCount.DROP_CLUSTER)
                + membership.count(BusCount.DROP_VERSION)
                + membership.count(BusCount.DROP_FORMAT))
        .isEqualTo(refused);
    assertThat(membership.count(BusCount.DROP_FULL)).isPositive();
  }

  @Test
  void noiseChangesNothing() {
    SplittableRandom random = new SplittableRandom(2);
    Kept out = new Kept();
    Membership membership = member(7, CLUSTER, out);
    for (int i = 0; i < 100_000; i++) {
      MemorySegment noise = MemorySegment.ofArray(new byte[random.nextInt(300)]);
      for (long at = 0; at < noise.byteSize(); at++) {
        noise.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
      }
      assertThat(membership.onFrame(MS, noise, 0, (int) noise.byteSize(), out::add)).isFalse();
    }
    assertThat(membership.size()).isEqualTo(1);
  }

  /** However little of it can be read: what it is else is not looked at. */
  @Test
  void anotherVersionIsCountedAsThat() {
    Kept out = new Kept();
    Membership membership = member(7, CLUSTER, out);
    List<byte[]> samples = samples();
    int heard = 0;
    for (byte[] frame : samples) {
      for (int version : new int[] {0, 2, 15}) {
        frame[0] = (byte) ((version << 4) | (frame[0] & 0xF));
        assertThat(hear(membership, MS, frame, out)).isFalse();
        heard++;
      }
    }
    assertThat(membership.count(BusCount.DROP_VERSION)).isEqualTo(heard);
    assertThat(membership.count(BusCount.DROP_MALFORMED)).isZero();
    assertThat(membership.count(BusCount.DROP_CLUSTER)).isZero();
    assertThat(membership.size()).isEqualTo(1);
  }

  @Test
  void anotherClusterIsCountedAndNotObeyed() {
    Kept out = new Kept();
    Membership membership = member(7, CLUSTER + 1, out);
    List<byte[]> samples = samples();
    for (byte[] frame : samples) {
      assertThat(hear(membership, MS, frame, out)).isFalse();
    }
    assertThat(membership.count(BusCount.DROP_CLUSTER)).isEqualTo(samples.size());
    assertThat(membership.size()).isEqualTo(1);
  }

  /** One frame of a forger would make all of them answer, with eight frames each. */
  @Test
  void aQuestionToAllIsAnsweredByNobody() {
    List<Integer> forOne = List.of(Format.SYNC, Format.VIEW, Format.PROBE, Format.ANSWER);
    Membership by = member(1, CLUSTER, new Kept());
    Kept replies = new Kept();
    int refused = 0;
    for (byte[] frame : samples()) {
      if (forOne.contains(frame[0] & 0xF)) {
        MemorySegment.ofArray(frame).set(ValueLayout.JAVA_SHORT_UNALIGNED, 4, (short) 0xFFFF);
        assertThat(hear(by, MS, frame, replies)).isFalse();
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(10);
    assertThat(by.count(BusCount.DROP_MALFORMED)).isEqualTo(refused);
    assertThat(replies.frames).isEmpty();
    assertThat(by.size()).isEqualTo(1);
  }

  /** A name of letters that there are not would grow when it is read, beyond what a card takes. */
  @Test
  void aCardThatIsNoTextIsRefused() {
    Kept out = new Kept();
    MemberCard card = new MemberCard("n".repeat(255), "h", List.of(), Map.of());
    BusConfig config =
        new BusConfig(CLUSTER, 3, 1003, taken -> card, 3, 1472, 64, BusConfig.Times.DEFAULT);
    Membership forger = new Membership(config, out, MemberEvents.NONE);
    forger.start(0);
    long _ = forger.poll(0);
    byte[] hello = out.frames.getFirst();
    Membership by = member(9, CLUSTER, new Kept());
    byte[] forged = hello.clone();
    Arrays.fill(forged, 73, 73 + 255, (byte) 0xFF);
    assertThat(hear(by, MS, forged, out)).isFalse();
    assertThat(by.count(BusCount.DROP_MALFORMED)).isEqualTo(1);
    assertThat(hear(by, MS, hello, out)).isTrue();
    assertThat(by.members()).hasSize(2);
  }

  /** A forger may announce as many as there are ids: no more are kept than was said. */
  @Test
  void aFloodOfHellosAndClaimsIsBounded() {
    byte[] hello =
        samples().stream()
            .filter(frame -> (frame[0] & 0xF) == Format.HELLO)
            .findFirst()
            .orElseThrow();
    Membership by = member(9, CLUSTER, new Kept());
    Kept replies = new Kept();
    long now = 0;
    for (int flags : new int[] {BusBlock.CLAIMS, 0}) {
      for (int id = 0; id < 0xFFFF; id++) {
        byte[] forged = hello.clone();
        MemorySegment bytes = MemorySegment.ofArray(forged);
        long life = 5_000_000L + id;
        bytes.set(ValueLayout.JAVA_SHORT_UNALIGNED, 6, (short) id);
        bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, 16, life);
        bytes.set(ValueLayout.JAVA_INT_UNALIGNED, 32 + 12, flags);
        bytes.set(ValueLayout.JAVA_SHORT_UNALIGNED, 48, (short) id);
        bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, 56, life);
        assertThat(hear(by, now, forged, replies)).isTrue();
      }
      assertThat(by.members()).hasSize(flags == 0 ? 64 : 1);
    }
    assertThat(by.count(BusCount.DROP_FULL)).isGreaterThan(65_000);
    assertThat(by.isMember()).isTrue();
    assertThat(by.id()).isEqualTo(9);
  }
}
