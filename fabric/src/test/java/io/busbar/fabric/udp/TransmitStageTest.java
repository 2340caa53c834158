package io.busbar.fabric.udp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TransmitStageTest {
  private static final int BYTES = 1 << 16;

  private final TransmitStage stage = new TransmitStage(BYTES, 100, 200);
  private final Peer one = new Peer(1, UdpAddress.parse("10.0.0.1:7"), 1472);
  private final Peer other = new Peer(2, UdpAddress.parse("10.0.0.2:7"), 1472);
  private final MemorySegment elsewhere = Arena.ofAuto().allocate(1 << 12);

  @AfterEach
  void close() {
    stage.close();
  }

  private long addOwn(Peer peer, int length) {
    long ticket = stage.add(peer, length, 1);
    stage.addOwn(length);
    return ticket;
  }

  @Test
  void equalFramesAreOneRunInOnePiece() {
    for (int i = 0; i < 10; i++) {
      addOwn(one, 100);
    }
    addOwn(one, 40);
    assertThat(stage.end()).isEqualTo(1);
    assertThat(stage.count()).isEqualTo(11);
    assertThat(stage.frames(0)).isEqualTo(11);
    assertThat(stage.bytes(0)).isEqualTo(1040);
    assertThat(stage.partsTo(0) - stage.partsFrom(0)).isEqualTo(1);
    assertThat(stage.partLength(0)).isEqualTo(1040);
  }

  @Test
  void runEndsWithAShorterFrameALongerOneOrAnotherPeer() {
    addOwn(one, 100);
    addOwn(one, 40);
    addOwn(one, 40);
    addOwn(one, 41);
    addOwn(other, 41);
    stage.endRun();
    addOwn(other, 41);
    assertThat(stage.end()).isEqualTo(5);
    assertThat(stage.frames(0)).isEqualTo(2);
    assertThat(stage.frames(1)).isEqualTo(1);
  }

  @Test
  void runsHaveBounds() {
    for (int i = 0; i < 65; i++) {
      addOwn(one, 10);
    }
    assertThat(stage.end()).isEqualTo(2);
    assertThat(stage.frames(0)).isEqualTo(TransmitStage.RUN_FRAMES_MAX);
    stage.leave(65);
    for (int i = 0; i < 60; i++) {
      long _ = stage.add(one, 2000, 3);
      stage.addOwn(32);
      stage.addInPlace(elsewhere, 0, 1960, 1960);
      stage.addOwn(8);
    }
    for (int run = 0; run < stage.end(); run++) {
      assertThat(stage.partsTo(run) - stage.partsFrom(run))
          .isLessThanOrEqualTo(TransmitStage.RUN_PARTS_MAX);
      assertThat(stage.bytes(run)).isLessThanOrEqualTo(TransmitStage.RUN_BYTES_MAX);
    }
  }

  @Test
  void roomIsCountedInFramesBytesAndParts() {
    assertThat(stage.hasRoom(BYTES, 1)).isTrue();
    assertThat(stage.hasRoom(BYTES + 1, 1)).isFalse();
    assertThat(stage.hasRoom(1, 200)).isTrue();
    assertThat(stage.hasRoom(1, 201)).isFalse();
    for (int i = 0; i < 100; i++) {
      assertThat(stage.hasRoom(10, 1)).isTrue();
      addOwn(one, 10);
    }
    assertThat(stage.hasRoom(0, 1)).isFalse();
    stage.leave(99);
    stage.leave(1);
    assertThat(stage.isEmpty()).isTrue();
    assertThat(stage.hasRoom(BYTES, 200)).isTrue();
    assertThat(stage.next()).isZero();
  }

  @Test
  void ticketsCompleteInOrder() {
    long first = addOwn(one, 100);
    long same = addOwn(one, 100);
    long second = addOwn(other, 100);
    assertThat(first).isPositive().isLessThan(same);
    assertThat(same).isLessThan(second);
    assertThat(stage.isComplete(first)).isFalse();
    assertThat(stage.leave(1)).isEqualTo(100);
    assertThat(stage.isComplete(first)).isTrue();
    assertThat(stage.isComplete(same)).isFalse();
    assertThat(stage.leave(1)).isEqualTo(100);
    assertThat(stage.isComplete(same)).isTrue();
    assertThat(stage.isComplete(second)).isFalse();
    assertThat(stage.leave(1)).isEqualTo(100);
    assertThat(stage.isComplete(second)).isTrue();
    assertThat(stage.isComplete(addOwn(one, 5))).isFalse();
  }

  @Test
  void registeredMemoryIsInUseUntilItsFrameHasLeft() {
    long _ = stage.add(one, 300, 1);
    stage.addInPlace(elsewhere, 1000, 300, 4096);
    addOwn(other, 10);
    assertThat(stage.uses(elsewhere)).isTrue();
    assertThat(stage.uses(elsewhere.asSlice(1000, 10))).isTrue();
    assertThat(stage.uses(elsewhere.asSlice(0, 1000))).isFalse();
    assertThat(stage.uses(stage.memory())).isFalse();
    stage.leave(1);
    assertThat(stage.uses(elsewhere)).isFalse();
  }

  /** Whatever leaves in whatever portions, it is the bytes that were staged, in order. */
  @Test
  void bytesLeaveAsTheyWereStaged() {
    Random random = new Random(11);
    Deque<byte[]> expected = new ArrayDeque<>();
    int number = 0;
    for (int step = 0; step < 3000; step++) {
      int length = random.nextInt(4) == 0 ? 50 + random.nextInt(50) : 100;
      boolean inRuns = step / 100 % 2 == 0; // to one, and every frame behind the last
      if (random.nextInt(3) > 0 && stage.hasRoom(length, 2)) {
        Peer peer = inRuns || random.nextBoolean() ? one : other;
        number += inRuns ? (4 - number % 3) % 3 : 1;
        expected.add(stageFrame(peer, length, number));
        number += inRuns ? 3 : 0;
      } else if (!stage.isEmpty()) {
        int count = 1 + random.nextInt(stage.frames(stage.first()));
        for (int i = 0; i < count; i++) {
          assertThat(firstFrame()).isEqualTo(expected.remove());
          assertThat(stage.leave(1)).isPositive();
        }
        assertThat(stage.count()).isEqualTo(expected.size());
      }
    }
    assertThat(number).isGreaterThan(1000);
    assertThat(behind).isGreaterThan(100);
  }

  @Test
  void framesBehindEachOtherAreOnePart() {
    long _ = stage.add(one, 100, 1);
    stage.addInPlace(elsewhere, 0, 100, 1000);
    for (int i = 1; i < 10; i++) {
      assertThat(stage.addBehind(one, elsewhere.asSlice(50), i * 100 - 50, 100)).isEqualTo(i + 1L);
    }
    assertThat(stage.addBehind(one, elsewhere, 1000, 100)).as("not registered").isZero();
    assertThat(stage.end()).isEqualTo(1);
    assertThat(stage.frames(0)).isEqualTo(10);
    assertThat(stage.partsTo(0)).isEqualTo(1);
    assertThat(stage.partLength(0)).isEqualTo(1000);
  }

  @Test
  void whatIsNotBehindTheLastFrameIsNoContinuation() {
    assertThat(stage.addBehind(one, elsewhere, 0, 100)).isZero();
    long _ = stage.add(one, 100, 1);
    stage.addInPlace(elsewhere, 0, 100, 4096);
    assertThat(stage.addBehind(other, elsewhere, 100, 100)).isZero();
    assertThat(stage.addBehind(one, elsewhere, 101, 100)).isZero();
    assertThat(stage.addBehind(one, elsewhere, 100, 99)).isZero();
    stage.endRun();
    assertThat(stage.addBehind(one, elsewhere, 100, 100)).isZero();
    addOwn(one, 100);
    assertThat(stage.addBehind(one, stage.memory(), stage.next(), 100)).isZero();
    assertThat(stage.count()).isEqualTo(2);
  }

  private MemorySegment book = Arena.ofAuto().allocate(1 << 12);
  private int written;
  private int behind;

  private byte[] stageFrame(Peer peer, int length, int number) {
    byte[] frame = Frames.one(length, number);
    if (number % 3 == 0) {
      MemorySegment body = Frames.memory(frame);
      MemorySegment.copy(frame, 0, stage.memory(), JAVA_BYTE, stage.next(), 20);
      long _ = stage.add(peer, length, 2);
      stage.addOwn(20);
      stage.addInPlace(body, 20, length - 20, length);
    } else if (number % 3 == 1) {
      if (written + length > book.byteSize()) {
        book = Arena.ofAuto().allocate(1 << 12);
        written = 0;
      }
      MemorySegment.copy(frame, 0, book, JAVA_BYTE, written, length);
      if (stage.addBehind(peer, book, written, length) == 0) {
        long _ = stage.add(peer, length, 1);
        stage.addInPlace(
            book, written, length, Math.max(written + length, (written / 500 + 1) * 500L));
      } else {
        behind++;
      }
      written += length;
    } else {
      MemorySegment.copy(frame, 0, stage.memory(), JAVA_BYTE, stage.next(), length);
      addOwn(peer, length);
    }
    return frame;
  }

  private byte[] firstFrame() {
    int run = stage.first();
    int length = Math.min(stage.frameBytes(run), stage.bytes(run));
    byte[] frame = new byte[length];
    int done = 0;
    for (int part = stage.partsFrom(run); done < length; part++) {
      int piece = Math.min(length - done, stage.partLength(part));
      MemorySegment.copy(stage.partMemory(part), JAVA_BYTE, stage.partAt(part), frame, done, piece);
      done += piece;
    }
    return frame;
  }
}
