package io.busbar.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.Nic;
import io.busbar.memory.Pool;
import io.busbar.memory.PoolLayout;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClaimsTest {
  private static final int MAX = 4;

  private final Folder folder = new Folder();
  private final Station other = new Station(folder);
  private final PeerSegment segment =
      PeerSegment.open(
          other.nic.address(), HostIdentity.current(), new SegmentFiles(folder.path.toString()));
  private final Peer peer = new Peer(0, 0, segment);
  private final PoolLayout layout = new PoolLayout(1, 4096);
  private final Pool pool = new Pool(layout, Arena.ofAuto().allocate(layout.bytes(), 4096), 1);
  private final List<Long> inherited = new ArrayList<>();
  private final Claims claims = new Claims(MAX, (from, in, handle, bytes) -> inherited.add(handle));

  @AfterEach
  void close() {
    segment.close();
    other.close();
    folder.close();
  }

  private long deliver(long handle, int times) {
    long frame = claims.offer(peer, pool, handle, 4096);
    for (int i = 0; i < times; i++) {
      assertThat(claims.claim(frame)).isTrue();
    }
    assertThat(claims.settle()).isEqualTo(times > 0);
    return frame;
  }

  @Test
  void whatNobodyClaimsIsTheCallers() {
    deliver(1, 0);
    assertThat(inherited).isEmpty();
  }

  @Test
  void claimedOftenIsReleasedAsOften() {
    long frame = deliver(7, 3);
    claims.release(frame);
    claims.release(frame);
    assertThat(inherited).isEmpty();
    claims.release(frame);
    assertThat(inherited).containsExactly(7L);
    assertThatThrownBy(() -> claims.release(frame))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was not claimed");
  }

  @Test
  void claimGivenBackInsideTheDeliveryIsNone() {
    long frame = claims.offer(peer, pool, 3, 4096);
    assertThat(claims.claim(frame)).isTrue();
    claims.release(frame);
    assertThat(claims.settle()).isFalse();
    assertThat(inherited).isEmpty();
  }

  @Test
  void quotaIsKept() {
    List<Long> frames = new ArrayList<>();
    for (int i = 0; i < MAX; i++) {
      frames.add(deliver(i, 1));
    }
    assertThat(claims.offer(peer, pool, 99, 4096)).isEqualTo(Nic.UNCLAIMABLE);
    assertThat(claims.claim(Nic.UNCLAIMABLE)).isFalse();
    assertThat(claims.settle()).isFalse();
    claims.release(frames.get(2));
    assertThat(deliver(100, 1)).isNotEqualTo(Nic.UNCLAIMABLE);
  }

  /** Another frame is released while one is delivered and claimed: both places stay apart. */
  @Test
  void releaseInsideADeliveryKeepsPlacesApart() {
    long first = deliver(1, 1);
    long second = claims.offer(peer, pool, 2, 4096);
    claims.release(first);
    assertThat(claims.claim(second)).isTrue();
    assertThat(claims.settle()).isTrue();
    List<Long> frames = new ArrayList<>(List.of(second));
    for (int i = 1; i < MAX; i++) {
      frames.add(deliver(10 + i, 1));
    }
    assertThat(frames).doesNotHaveDuplicates();
    claims.release(second);
    assertThat(inherited).containsExactly(1L, 2L);
  }

  @Test
  void oldNameOpensNothing() {
    long old = deliver(1, 1);
    claims.release(old);
    long now = deliver(2, 1);
    assertThat((int) now).as("the same place").isEqualTo((int) old);
    assertThatThrownBy(() -> claims.release(old)).isInstanceOf(IllegalStateException.class);
    assertThat(claims.claim(now)).as("a kept frame may be claimed again").isTrue();
    claims.release(now);
    claims.release(now);
    assertThatThrownBy(() -> claims.claim(now)).hasMessageContaining("before onFrame returns");
    assertThat(inherited).containsExactly(1L, 2L);
    for (long wrong : new long[] {-1, 0, 1, MAX, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> claims.release(wrong)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void anyOrderOfClaimsAndReleases() {
    SplittableRandom random = new SplittableRandom(8);
    Map<Long, Long> kept = new HashMap<>();
    long handle = 0;
    for (int round = 0; round < 20_000; round++) {
      long frame = claims.offer(peer, pool, handle, 4096);
      assertThat(frame == Nic.UNCLAIMABLE).isEqualTo(kept.size() == MAX);
      for (long held : List.copyOf(kept.keySet())) {
        if (random.nextInt(3) == 0) {
          claims.release(held);
          assertThat(inherited.removeLast()).isEqualTo(kept.remove(held));
        }
      }
      boolean claim = frame != Nic.UNCLAIMABLE && random.nextBoolean();
      if (claim) {
        claims.claim(frame);
        kept.put(frame, handle);
      }
      assertThat(claims.settle()).isEqualTo(claim);
      handle++;
    }
    assertThat(inherited).isEmpty();
  }
}
