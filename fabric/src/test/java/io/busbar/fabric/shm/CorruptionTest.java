package io.busbar.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.wire.RingSlot;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Words that a peer must not write. Whatever they are, the victim throws nothing, loops nowhere,
 * reads nothing outside, and goes on with the others.
 */
@Timeout(120)
class CorruptionTest {
  private final Folder folder = new Folder();

  @AfterEach
  void close() {
    folder.close();
  }

  /** Where the words are damaged. */
  enum Place {
    SLOTS,
    SENDERS_WORDS,
    RECEIVERS_WORDS,
    MAILBOX,
    HEADER,
    THEIR_POOL,
    OUR_POOL
  }

  /** A victim, a peer that damages, and a friend whose frames must all come and go. */
  private final class Trio implements AutoCloseable {
    final Station victim = new Station(folder);
    final Station villain = new Station(folder);
    final Station friend = new Station(folder);
    final int toVillain = victim.open(villain);
    final int toFriend = victim.open(friend);
    final int toVictim = villain.open(victim);
    final Arena arena = Arena.ofShared();
    final MemorySegment letter = arena.allocate(20_000);
    final Segment layout;
    long sent;

    Trio() {
      ShmConfig config = Station.config(folder);
      layout = new Segment(config.pool(), config.ringBytes());
      victim.send(toVillain, 0, 8);
      villain.send(toVictim, 0, 8);
      victim.send(toFriend, 0, 8);
      friend.poll();
      friend.heard.clear();
      villain.poll();
      villain.heard.clear();
      victim.poll();
      victim.heard.clear();
      Letter.write(letter, 0, 20_000, 5);
      victim.nic.register(letter);
      villain.nic.register(letter);
    }

    MemorySegment victims() {
      return victim.nic.transmitMemory();
    }

    MemorySegment villains() {
      return villain.nic.transmitMemory();
    }

    /** The ring by which the villain sends; the victim was its first peer. */
    long villainsRing() {
      return layout.ringAt(toVictim + 2);
    }

    long victimsRing() {
      return layout.ringAt(toVillain + 2);
    }

    /** Some of everything is sent. */
    void send(SplittableRandom random) {
      for (int i = random.nextInt(4); i > 0; i--) {
        villain.send(toVictim, 1, 8 + random.nextInt(6000));
        villain.nic.transmit(toVictim, letter, 0, 20_000);
        villain.send(Nic.EVERYONE, 2, 8 + random.nextInt(3000));
        victim.send(toVillain, 3, 8 + random.nextInt(6000));
        victim.nic.transmit(toVillain, letter, 0, 20_000);
        victim.send(Nic.EVERYONE, 4, 8 + random.nextInt(3000));
      }
      for (int i = random.nextInt(4); i > 0; i--) {
        sent += victim.send(toFriend, 100 + sent, 8 + random.nextInt(5000)) == Nic.DONE ? 1 : 0;
      }
    }

    /** What was sent is taken, or some of it. */
    void take(SplittableRandom random) {
      victim.nic.poll(victim, 1 + random.nextInt(8));
      victim.nic.flush();
      friend.poll();
      if (random.nextBoolean()) {
        villain.poll();
      }
      for (Station each : List.of(victim, friend, villain)) {
        if (each.nic.arm()) {
          each.nic.disarm();
        }
      }
    }

    List<Long> toldToFriend() {
      return friend.numbers().stream().filter(number -> number != 4).toList();
    }

    @Override
    public void close() {
      try (arena;
          villain;
          friend) {
        victim.close();
      }
    }
  }

  private static long lie(SplittableRandom random) {
    return switch (random.nextInt(7)) {
      case 0 -> random.nextLong();
      case 1 -> random.nextInt(300);
      case 2 -> -1L - random.nextInt(5);
      case 3 -> Long.MAX_VALUE - random.nextInt(70_000);
      case 4 -> random.nextInt();
      case 5 -> 0;
      default -> random.nextLong() & 0xFFFF_FFFFL;
    };
  }

  /** A word that is a frame for its place, but for what it says. */
  private static long slotLie(SplittableRandom random, long unit) {
    int kind = random.nextInt(7);
    int length = random.nextBoolean() ? random.nextInt(6000) : random.nextInt();
    return RingSlot.word(kind, length, unit);
  }

  private void damage(Trio trio, Place place, SplittableRandom random) {
    MemorySegment theirs = trio.villains();
    MemorySegment ours = trio.victims();
    switch (place) {
      case SLOTS -> {
        for (int i = 0; i < 3; i++) {
          int unit = random.nextInt(64);
          long at = trio.villainsRing() + SharedSegment.RING_SLOTS + unit * 64L;
          long word = random.nextInt(3) == 0 ? lie(random) : slotLie(random, unit);
          theirs.set(ValueLayout.JAVA_LONG, at, word);
          theirs.set(ValueLayout.JAVA_LONG, at + 8, lie(random));
        }
      }
      case SENDERS_WORDS ->
          theirs.set(
              ValueLayout.JAVA_LONG, trio.villainsRing() + 128L * random.nextInt(3), lie(random));
      case RECEIVERS_WORDS ->
          ours.set(
              ValueLayout.JAVA_LONG, trio.victimsRing() + 128L * random.nextInt(3), lie(random));
      case MAILBOX -> {
        long at = SharedSegment.MAILBOX + 64L * random.nextInt(4);
        long token = random.nextInt(3) == 0 ? trio.villain.nic.address().token() : lie(random);
        ours.set(ValueLayout.JAVA_LONG, at, token);
        ours.set(ValueLayout.JAVA_LONG, at + 8, lie(random));
        ours.set(ValueLayout.JAVA_LONG, at + 16, random.nextInt(3) > 0 ? token : lie(random));
        ours.set(ValueLayout.JAVA_LONG, SharedSegment.MAIL_WORD, random.nextInt(1000));
      }
      case HEADER -> {
        // Not the sleep word: who damages that, keeps the owner asleep, and nothing helps.
        theirs.set(ValueLayout.JAVA_LONG, 8L * random.nextInt(9), lie(random));
      }
      case THEIR_POOL -> poolWord(theirs, random);
      case OUR_POOL -> poolWord(ours, random);
    }
  }

  private static void poolWord(MemorySegment memory, SplittableRandom random) {
    int word = random.nextInt(2) * 48 + random.nextInt(34);
    long at = SharedSegment.POOL + 8L * word;
    long old = memory.get(ValueLayout.JAVA_LONG, at);
    memory.set(
        ValueLayout.JAVA_LONG,
        at,
        random.nextBoolean() ? lie(random) : old ^ 1L << random.nextInt(64));
  }

  private void attack(Place place, int seeds) {
    int noticed = 0;
    for (int seed = 0; seed < seeds; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      try (Trio trio = new Trio()) {
        for (int round = 0; round < 12; round++) {
          trio.send(random);
          damage(trio, place, random);
          trio.take(random);
        }
        for (int round = 0; round < 3; round++) {
          trio.send(random);
          trio.take(random);
        }
        noticed += trio.victim.told.isEmpty() ? 0 : 1;
        if (place != Place.OUR_POOL) {
          Station.await(
              "the friend's frames",
              () -> trio.toldToFriend().size() == trio.sent,
              trio.victim,
              trio.friend);
          assertThat(trio.toldToFriend())
              .as("seed %d", seed)
              .isEqualTo(LongStream.range(100, 100 + trio.sent).boxed().toList());
          assertThat(trio.friend.told).containsExactly("peer 0");
        }
      } catch (RuntimeException e) {
        throw new AssertionError("%s, seed %d".formatted(place, seed), e);
      }
    }
    if (place != Place.OUR_POOL && place != Place.HEADER) {
      assertThat(noticed).as("seeds of %d in which the damage was noticed", seeds).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource
  void randomWords(Place place) {
    attack(place, 20);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void manyRandomWords(Place place) {
    attack(place, 2000);
  }

  // One by one, with the names that they are told by.

  private void expelled(Trio trio, String why) {
    Station.await("it is expelled", () -> !trio.victim.told.isEmpty(), trio.victim);
    assertThat(trio.victim.told).hasSize(1);
    assertThat(trio.victim.told.getFirst()).startsWith("gone " + trio.toVillain + ": " + why);
    assertThat(trio.victim.count(NicCount.DROPPED_CORRUPT)).isEqualTo(1);
    assertThat(trio.victim.count(NicCount.PEERS_GONE)).isEqualTo(1);
    assertThat(trio.victim.heard).isEmpty();
    assertThat(trio.victim.send(trio.toVillain, 1, 8)).isEqualTo(Nic.GONE);
    assertThat(trio.victim.send(trio.toFriend, 8, 5000)).isEqualTo(Nic.DONE);
    Station.await("a friend", () -> trio.friend.heard.size() == 1, trio.friend);
    Station.await("the other side", () -> trio.villain.told.size() == 1, trio.villain);
    assertThat(trio.villain.told).containsExactly("gone 0: it has closed the way");
    Station.await("buffers", trio.victim::restsWithAllBlocksFree, trio.victim);
  }

  private static void reference(Trio trio, int kind, int length, long where) {
    long at = trio.villainsRing() + SharedSegment.RING_SLOTS + 64;
    trio.villains().set(ValueLayout.JAVA_LONG, at + 8, where);
    trio.villains().set(ValueLayout.JAVA_LONG, at, RingSlot.word(kind, length, 1));
  }

  @Test
  void wordThatIsNoFrame() {
    try (Trio trio = new Trio()) {
      reference(trio, 77, 5, 0);
      expelled(trio, "its ring holds what is no frame");
    }
  }

  @Test
  void bufferThatWasNotGiven() {
    try (Trio trio = new Trio()) {
      reference(trio, RingSlot.GIVEN, 100, 0x100_0000L);
      expelled(trio, "it gave a buffer that is not ours");
    }
  }

  @Test
  void bufferOfNobody() {
    for (long handle : new long[] {-1, 64, 0xFF_FFFF, Long.MAX_VALUE, Long.MIN_VALUE}) {
      try (Trio trio = new Trio()) {
        reference(trio, RingSlot.GIVEN, 100, handle);
        expelled(trio, "it gave a buffer that is not ours");
      }
    }
  }

  @Test
  void loanOutsideThePool() {
    long end = SharedSegment.POOL + Station.config(folder).pool().bytes();
    for (long at : new long[] {0, end - 99, end, -8, Long.MAX_VALUE, Long.MAX_VALUE - 50}) {
      try (Trio trio = new Trio()) {
        reference(trio, RingSlot.LENT, 100, at);
        expelled(trio, "it lent memory outside its pool");
      }
    }
  }

  @Test
  void tooLongAcross() {
    try (Trio trio = new Trio()) {
      reference(trio, RingSlot.ACROSS, 32 * Station.BLOCK + 1, trio.letter.address());
      expelled(trio, "it sent 131073 bytes, more than a buffer holds");
    }
  }

  @Test
  void headThatCannotBeTrue() {
    try (Trio trio = new Trio()) {
      trio.victims().set(ValueLayout.JAVA_LONG, trio.victimsRing(), 1 << 20);
      long result = Nic.DONE;
      for (int i = 0; i < 70 && result == Nic.DONE; i++) {
        result = trio.victim.send(trio.toVillain, i, 8);
      }
      assertThat(result).isEqualTo(Nic.GONE);
      expelled(trio, "its head is where it cannot be");
    }
  }

  @Test
  void headThatNoBroadcastPasses() {
    try (Trio trio = new Trio()) {
      trio.victims().set(ValueLayout.JAVA_LONG, trio.victimsRing(), -5);
      trio.victim.send(Nic.EVERYONE, 1, 3000);
      trio.victim.send(Nic.EVERYONE, 1, 3000);
      trio.friend.poll();
      trio.friend.heard.clear();
      expelled(trio, "its head is where it cannot be");
    }
  }

  /** The buffer's word is changed while its frame is delivered. */
  @Test
  void bufferThatIsTakenBack() {
    try (Trio trio = new Trio()) {
      trio.villain.send(trio.toVictim, 1, 5000);
      trio.villain.send(trio.toVictim, 2, 5000);
      int frames =
          trio.victim.nic.poll(
              (peer, memory, offset, length, frame) ->
                  memory.asSlice(SharedSegment.POOL, 32 * 8).fill((byte) 0),
              10);
      assertThat(frames).isEqualTo(1);
      expelled(trio, "it took back a buffer that was ours");
    }
  }

  @Test
  void announcementWithAnImpossibleNumber() {
    for (long number : new long[] {0, 1, 256, -1, Long.MAX_VALUE}) {
      try (Station victim = new Station(folder);
          Station villain = new Station(folder)) {
        MemorySegment mailbox = victim.nic.transmitMemory().asSlice(SharedSegment.MAILBOX);
        long token = villain.nic.address().token();
        mailbox.set(ValueLayout.JAVA_LONG, SharedSegment.MAIL_TOKEN_AT, token);
        mailbox.set(ValueLayout.JAVA_LONG, SharedSegment.MAIL_PARTICIPANT_AT, number);
        mailbox.set(ValueLayout.JAVA_LONG, SharedSegment.MAIL_READY_AT, token);
        victim.nic.transmitMemory().set(ValueLayout.JAVA_LONG, SharedSegment.MAIL_WORD, 9);
        victim.poll();
        assertThat(victim.told).hasSize(1);
        assertThat(victim.told.getFirst()).contains("calls us participant " + number);
        assertThat(victim.count(NicCount.DROPPED_FOREIGN)).isEqualTo(1);
      }
    }
  }
}
