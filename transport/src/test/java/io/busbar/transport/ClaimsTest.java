package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Frames that are kept by claiming them: each claim is released once. */
class ClaimsTest {
  private static final class Counting implements FrameClaims {
    final Map<Long, Integer> open = new HashMap<>();
    int claimed;
    int quota = Integer.MAX_VALUE;

    @Override
    public boolean claim(long frame) {
      if (open.size() >= quota) {
        return false;
      }
      claimed++;
      open.merge(frame, 1, Integer::sum);
      return true;
    }

    @Override
    public void release(long frame) {
      Integer left = open.computeIfPresent(frame, (key, many) -> many - 1);
      if (left == null) {
        throw new AssertionError("frame " + frame + " was not claimed");
      }
      open.values().removeIf(many -> many == 0);
    }
  }

  private final Counting claims = new Counting();
  private final Pair pair = new Pair(builder -> builder, claims);

  /** An association whose window is open. */
  private long open() {
    pair.listen();
    long association = pair.open();
    pair.a.send(association, 14_400, 0);
    pair.run(5 * Pair.MS);
    pair.b.bytes.reset();
    pair.b.pieces.clear();
    return association;
  }

  @Test
  void whatIsHeldBehindAGapIsClaimedAndReleased() {
    long association = open();
    pair.loseOne(Sent::isData);
    pair.a.send(association, 14_400, 1);
    pair.run(20 * Pair.MS);

    assertThat(pair.b.bytes.toByteArray()).isEqualTo(End.patternBytes(14_400, 1));
    assertThat(claims.claimed).isPositive();
    assertThat(claims.open).isEmpty();
    assertThat(pair.b.transport.heldBytes()).isZero();
  }

  @Test
  void beyondTheQuotaFramesAreCopied() {
    claims.quota = 2;
    long association = open();
    pair.a.send(association, 100_000, 1);
    pair.loseOne(Sent::isData);
    long[] most = {0};
    pair.delayNs =
        frame -> {
          most[0] = Math.max(most[0], pair.b.transport.heldBytes());
          return Pair.DELAY_NS;
        };
    pair.run(20 * Pair.MS);

    assertThat(pair.b.bytes.toByteArray()).isEqualTo(End.patternBytes(100_000, 1));
    assertThat(most[0]).isPositive();
    assertThat(claims.open).isEmpty();
    assertThat(pair.b.transport.heldBytes()).isZero();
  }

  @Test
  void anAbortReleasesWhatIsHeld() {
    long association = open();
    pair.a.send(association, 100_000, 1);
    pair.loseOne(Sent::isData);
    pair.run(Pair.DELAY_NS);
    assertThat(claims.open).isNotEmpty();
    pair.b.abort(pair.b.accepted());

    assertThat(claims.open).isEmpty();
    assertThat(pair.b.transport.creditTakenBytes()).isZero();
  }

  @Test
  void theUserMayClaimWhatItIsHanded() {
    long association = open();
    Map<Long, Integer> kept = new HashMap<>();
    pair.b.duringBytes =
        accepted -> {
          long claim = pair.b.transport.claimCurrent();
          assertThat(claim).isNotNegative();
          kept.merge(claim, 1, Integer::sum);
        };
    pair.loseOne(Sent::isData);
    pair.a.send(association, 14_400, 1);
    pair.run(20 * Pair.MS);

    assertThat(kept).hasSize(pair.b.pieces.size());
    assertThat(claims.open).isEqualTo(kept);
    kept.keySet().forEach(claims::release);
    assertThat(claims.open).isEmpty();
  }

  @Test
  void outsideOfAnUpcallThereIsNothingToClaim() {
    open();
    assertThat(pair.b.transport.claimCurrent()).isNegative();
  }

  @Test
  void everyClaimIsReleasedWhateverHappens() {
    for (long seed = 1; seed <= 10; seed++) {
      Pair rough = new Pair(builder -> builder, claims);
      rough.listen();
      SplittableRandom random = new SplittableRandom(seed);
      rough.copies = frame -> random.nextInt(8) == 0 ? 0 : random.nextInt(8) == 0 ? 2 : 1;
      rough.delayNs = frame -> Pair.DELAY_NS + random.nextInt(50) * Pair.US;
      long association = rough.a.open(rough.b);
      rough.a.send(association, 200_000, 1);
      if (seed % 2 == 0) {
        rough.run(5 * Pair.MS);
        rough.a.abort(association);
      }
      rough.run(20_000 * Pair.MS);
      assertThat(claims.open).as("seed %d", seed).isEmpty();
      assertThat(rough.b.transport.heldBytes()).isZero();
    }
    assertThat(claims.claimed).isPositive();
  }
}
