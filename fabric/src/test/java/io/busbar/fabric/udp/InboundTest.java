package io.busbar.fabric.udp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicCount;
import io.busbar.linux.NativeAddress;
import io.busbar.linux.NativeSocket;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of what arrives. */
class InboundTest {
  private static final int LOOPBACK = 0x7F00_0001;

  private final Ends ends = new Ends(Ends.config().build(), rightConfig());
  private final UdpNic right = ends.right;

  private static UdpConfig rightConfig() {
    return Ends.config().chunks(65536, 4, 2).build();
  }

  @AfterEach
  void close() {
    ends.close();
  }

  private void send(List<byte[]> frames) {
    Frames.transmit(ends.left, ends.toRight, frames);
    assertThat(ends.left.flush()).isZero();
  }

  private long count(NicCount count) {
    return right.counters().get(count);
  }

  @Test
  void budgetCountsFramesAndTheRestWaits() {
    List<byte[]> frames = Frames.of(500, 500, 500, 500, 500, 500, 400);
    send(frames);
    assertThat(right.poll(ends.inbox, 3)).isEqualTo(3);
    assertThat(right.poll(ends.inbox, 1)).isEqualTo(1);
    assertThat(count(NicCount.CALLS_RECEIVED)).isEqualTo(1);
    assertThat(right.poll(ends.inbox, 10)).isEqualTo(3);
    assertThat(ends.inbox.frames).containsExactlyElementsOf(frames);
    assertThat(right.poll(ends.inbox, 10)).isZero();
  }

  @Test
  void leftoversComeBeforeWhatArrivedLater() {
    List<byte[]> first = Frames.of(500, 500, 500);
    List<byte[]> second = Frames.of(100, 200);
    send(first);
    assertThat(right.poll(ends.inbox, 1)).isEqualTo(1);
    send(second);
    ends.inbox.await(right, 5);
    List<byte[]> all = new ArrayList<>(first);
    all.addAll(second);
    assertThat(ends.inbox.frames).containsExactlyElementsOf(all);
  }

  @Test
  void oneCallTakesMoreWhileMuchArrives() {
    int[] lengths = new int[40];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = 300 + i;
    }
    send(Frames.of(lengths));
    ends.inbox.await(right, lengths.length);
    assertThat(ends.inbox.frames).containsExactlyElementsOf(Frames.of(lengths));
    // 1, 1, 2, then 4 at a time
    assertThat(count(NicCount.CALLS_RECEIVED)).isEqualTo(3 + 9);
  }

  /** Frames that came at once, glued together by the kernel, are its sender's as it is now. */
  @Test
  void whoIsClosedInADeliveryIsAStrangerFromThenOn() {
    int toLeft = right.open(ends.left.address());
    List<Integer> peers = new ArrayList<>();
    FrameReceiver receiver =
        (peer, memory, offset, length, frame) -> {
          peers.add(peer);
          if (peers.size() == 2) {
            right.close(toLeft);
          }
        };
    send(Frames.of(500, 500, 500, 500));
    while (peers.size() < 4) {
      int _ = right.poll(receiver, 10);
    }
    assertThat(peers).containsExactly(toLeft, toLeft, Nic.STRANGER, Nic.STRANGER);
  }

  @Test
  void strangerHasAnAddressThatCanBeOpened() {
    try (UdpNic stranger = new UdpNic(Ends.config().build(), new Recorder())) {
      int to = stranger.open(right.address());
      Frames.transmit(stranger, to, Frames.of(20));
      assertThat(stranger.flush()).isZero();
      List<Integer> peers = new ArrayList<>();
      List<NicAddress> sources = new ArrayList<>();
      FrameReceiver receiver =
          (peer, memory, offset, length, frame) -> {
            peers.add(peer);
            sources.add(right.source());
          };
      while (peers.isEmpty()) {
        int _ = right.poll(receiver, 1);
      }
      assertThat(sources).containsExactly(stranger.address());
      assertThatThrownBy(right::source).hasMessage("no frame is being delivered");
      int number = right.open(sources.getFirst());
      Frames.transmit(stranger, to, Frames.of(20));
      assertThat(stranger.flush()).isZero();
      while (peers.size() < 2) {
        int _ = right.poll(receiver, 1);
      }
      assertThat(peers).containsExactly(Nic.STRANGER, number);
    }
  }

  @Test
  void receiverThatThrowsLosesOnlyItsFrame() {
    List<byte[]> frames = Frames.of(500, 500, 500, 700);
    send(frames);
    RuntimeException failure = new RuntimeException("on purpose");
    FrameReceiver thrower =
        (peer, memory, offset, length, frame) -> {
          throw failure;
        };
    assertThatThrownBy(() -> right.poll(thrower, 10)).isSameAs(failure);
    assertThat(right.poll(ends.inbox, 1)).isEqualTo(1);
    assertThatThrownBy(() -> right.poll(thrower, 10)).isSameAs(failure);
    ends.inbox.await(right, 2);
    assertThat(ends.inbox.frames).containsExactly(frames.get(1), frames.get(3));
    assertThat(count(NicCount.FRAMES_RECEIVED)).isEqualTo(4);
  }

  @Test
  void receiverMaySendAndMayNotPoll() {
    send(Frames.of(500));
    List<String> refused = new ArrayList<>();
    FrameReceiver receiver =
        (peer, memory, offset, length, frame) -> {
          assertThat(right.transmit(peer, memory, offset, length)).isEqualTo(Nic.DONE);
          assertThat(right.flush()).isZero();
          for (Runnable call :
              List.<Runnable>of(() -> right.poll(ends.inbox, 1), right::arm, () -> right.close())) {
            assertThatThrownBy(call::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("not while a frame is being delivered");
            refused.add("once");
          }
        };
    while (refused.isEmpty()) {
      int _ = right.poll(receiver, 1);
    }
    assertThat(refused).hasSize(3);
    ends.inbox.await(ends.left, 1);
    assertThat(ends.inbox.frames.getFirst()).isEqualTo(Frames.one(500, 0));
  }

  /** A claimed frame. */
  private record Kept(long name, MemorySegment memory, MemorySegment copy) {}

  @Test
  void claimedFramesStayAsTheyAre() {
    List<Kept> kept = new ArrayList<>();
    List<Boolean> answers = new ArrayList<>();
    FrameReceiver claimer =
        (peer, memory, offset, length, frame) -> {
          MemorySegment slice = memory.asSlice(offset, length);
          boolean claimed = right.claim(frame);
          answers.add(claimed);
          if (claimed) {
            kept.add(new Kept(frame, slice, MemorySegment.ofArray(slice.toArray(JAVA_BYTE))));
          }
        };
    send(Frames.of(500, 500)); // one chunk, two claims
    send(Frames.of(600));
    send(Frames.of(700)); // past the quota
    while (answers.size() < 4) {
      int _ = right.poll(claimer, 10);
    }
    assertThat(answers).containsExactly(true, true, true, false);
    assertThat(count(NicCount.CLAIMED)).isEqualTo(3);
    assertThat(count(NicCount.CLAIMS_REFUSED)).isEqualTo(1);
    for (int i = 0; i < 20; i++) {
      send(Frames.of(2000 + i, 3000));
    }
    ends.inbox.await(right, 40);
    assertThat(kept).allMatch(one -> one.memory.mismatch(one.copy) == -1);
    assertThat(right.claim(kept.getFirst().name)).as("once more what is kept").isTrue();
    right.release(kept.getFirst().name);
    assertThat(right.claim(Nic.UNCLAIMABLE)).isFalse();
    kept.forEach(one -> right.release(one.name));
    assertThatThrownBy(() -> right.claim(kept.getFirst().name))
        .hasMessageContaining("is neither being delivered nor kept");
    assertThatThrownBy(() -> right.release(kept.getFirst().name))
        .isInstanceOf(IllegalStateException.class);
    send(Frames.of(800));
    while (answers.size() < 5) {
      int _ = right.poll(claimer, 10);
    }
    assertThat(answers.getLast()).isTrue();
  }

  @Test
  void datagramsThatAreNoFramesAreCounted() {
    UdpConfig small = Ends.config().chunks(512, 4, 2).build();
    try (UdpNic nic = new UdpNic(small, new Recorder());
        NativeSocket foreign = NativeSocket.udp4()) {
      NativeAddress to = nic.address().toNative();
      foreign.bind(new NativeAddress().ipv4(LOOPBACK, 0));
      MemorySegment bytes = Frames.memory(Frames.one(513, 1));
      assertThat(foreign.sendTo(bytes, 0, 0, to)).isZero();
      assertThat(foreign.sendTo(bytes, 0, 513, to)).isEqualTo(513);
      assertThat(foreign.sendTo(bytes, 0, 512, to)).isEqualTo(512);
      ends.inbox.await(nic, 1);
      assertThat(ends.inbox.frames.getFirst()).hasSize(512);
      assertThat(nic.counters().get(NicCount.DROPPED_FOREIGN)).isEqualTo(1);
      assertThat(nic.counters().get(NicCount.DROPPED_TRUNCATED)).isEqualTo(1);
      assertThat(nic.counters().get(NicCount.FRAMES_RECEIVED)).isEqualTo(1);
    }
  }

  @Test
  void framesWithoutRoomAreCounted() {
    UdpConfig tight = Ends.config().buffers(4096, 1 << 16).build();
    try (Ends pair = new Ends(Ends.config().build(), tight)) {
      int sent = 200;
      for (int i = 0; i < sent; i++) {
        Frames.transmit(pair.left, pair.toRight, Frames.of(1000));
        assertThat(pair.left.flush()).isZero();
      }
      while (pair.right.poll(pair.inbox, 64) > 0) {
        assertThat(pair.inbox.frames).hasSizeLessThan(sent);
      }
      int heard = pair.inbox.frames.size();
      // The count travels with the next frame that has room.
      Frames.transmit(pair.left, pair.toRight, Frames.of(10));
      assertThat(pair.left.flush()).isZero();
      pair.inbox.await(pair.right, heard + 1);
      assertThat(pair.right.counters().get(NicCount.LOST_ARRIVING)).isEqualTo(sent - heard);
    }
  }
}
