package io.busbar.lab.conformance;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.NicCount;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Frames that are kept where they lie. */
final class ClaimChecks {
  private static final int CLAIMS_MAX = 20_000;
  private static final int FOLLOWING = 3000;

  /** A frame that is kept. */
  private record Kept(MemorySegment memory, long offset, int length, long number, long name) {
    boolean isUnchanged(Station from) {
      return Probe.matches(memory, offset, length, from.index, number);
    }
  }

  private final Trial t;
  private final Station from;
  private final Station to;

  private ClaimChecks(Trial t) {
    this.t = t;
    Station[] stations = t.connected(2);
    from = stations[0];
    to = stations[1];
    to.listens = false;
  }

  static void claims(Trial t) {
    ClaimChecks checks = new ClaimChecks(t);
    if (!checks.to.can(NicCapability.CLAIMS)) {
      checks.nothingCanBeClaimed();
      return;
    }
    int length = checks.claimableBytes();
    checks.releaseWithoutClaim(length);
    int quota = checks.quota(length);
    checks.releasedInside(length);
    checks.oldNames(length);
    checks.claimedTwice(length);
    t.require(checks.quota(length) == quota, "the quota of claims is not what it was: %d", quota);
    t.quiet();
  }

  private void nothingCanBeClaimed() {
    for (int length : new int[] {64, from.nic.frameBytesMax(from.peer(to))}) {
      receive(
          length,
          (peer, memory, offset, bytes, name) ->
              t.require(!to.nic.claim(name), "a claim was granted that is not announced"));
    }
  }

  /** Sends a frame and lets this receiver have it; its number. */
  private long receive(int length, FrameReceiver receiver) {
    long number = t.send(from, to, length);
    int _ = from.nic.flush(); // so that it is there at once, where it can be
    int[] count = new int[1];
    t.await(() -> (count[0] += to.poll(receiver, 1)) > 0, "a frame of %d bytes never came", length);
    return number;
  }

  /** Sends a frame and claims it so often; nothing when that is refused. */
  private @Nullable Kept claim(int length, int times) {
    return claim(length, times, () -> {});
  }

  private @Nullable Kept claim(int length, int times, Runnable inside) {
    Kept[] kept = new Kept[1];
    long[] number = new long[1];
    number[0] =
        receive(
            length,
            (peer, memory, offset, bytes, name) -> {
              if (!to.nic.claim(name)) {
                return;
              }
              for (int i = 1; i < times; i++) {
                t.require(to.nic.claim(name), "a claimed frame cannot be claimed again");
              }
              long said = Probe.number(memory, offset);
              kept[0] = new Kept(memory, offset, bytes, said, name);
              inside.run();
            });
    Kept found = kept[0];
    if (found != null) {
      t.require(
          found.number == number[0] && found.isUnchanged(from),
          "a frame changed as soon as it was claimed");
    }
    return found;
  }

  /** Carriers may copy short frames, and let only long ones be claimed: the shortest that can. */
  private int claimableBytes() {
    int most = from.nic.frameBytesMax(from.peer(to));
    for (int length = Math.min(64, most); ; length = Math.min(2 * length, most)) {
      Kept kept = claim(length, 1);
      if (kept != null) {
        to.nic.release(kept.name);
        return length;
      }
      t.require(length < most, "claims are announced, and no frame can be claimed");
    }
  }

  private void releaseWithoutClaim(int length) {
    long[] names = new long[1];
    receive(length, (peer, memory, offset, bytes, name) -> names[0] = name);
    requireReleaseRefused("a frame that was not claimed", names[0]);
    requireReleaseRefused("the frame that cannot be claimed", Nic.UNCLAIMABLE);
  }

  private void requireReleaseRefused(String what, long name) {
    t.requireRefused(
        "a release of " + what,
        () -> to.nic.release(name),
        IllegalStateException.class,
        IllegalArgumentException.class);
  }

  /** Claims until the quota is spent; how many it has. Nothing else stops because of it. */
  private int quota(int length) {
    long refused = to.counted(NicCount.CLAIMS_REFUSED);
    List<Kept> all = new ArrayList<>();
    Kept next = claim(length, 1);
    while (next != null && all.size() < CLAIMS_MAX) {
      all.add(next);
      next = claim(length, 1);
    }
    t.require(next == null, "%d frames were claimed: is there no quota?", all.size());
    t.require(
        to.counted(NicCount.CLAIMS_REFUSED) > refused, "a claim was refused, and not counted");
    follow(all);
    for (Kept kept : all) {
      to.nic.release(kept.name);
    }
    requireReleaseRefused("a frame that was released", all.getFirst().name);
    return all.size();
  }

  /** Thousands of frames follow; what is kept stays as it is. */
  private void follow(List<Kept> all) {
    int most = Math.min(from.nic.frameBytesMax(from.peer(to)), 2048);
    for (int i = 0; i < FOLLOWING; i++) {
      int length = Math.max(Probe.NUMBERED_BYTES, most - i % most);
      boolean[] same = new boolean[1];
      long number =
          receive(
              length,
              (peer, memory, offset, bytes, name) ->
                  same[0] =
                      Probe.matches(
                          memory, offset, bytes, from.index, Probe.number(memory, offset)));
      t.require(same[0], "frame %d came changed while others are kept", number);
      if (i % 500 == 0 || i == FOLLOWING - 1) {
        for (Kept kept : all) {
          t.require(
              kept.isUnchanged(from), "a claimed frame changed when %d others had followed", i);
        }
      }
    }
  }

  private Kept mustClaim(int length, int times, Runnable inside) {
    Kept kept = claim(length, times, inside);
    if (kept == null) {
      throw t.violation("claims were given back, and none is granted");
    }
    return kept;
  }

  /** One frame is given back while another is claimed: the two do not get mixed up. */
  private void releasedInside(int length) {
    Kept first = mustClaim(length, 1, () -> {});
    Kept second = mustClaim(length, 1, () -> to.nic.release(first.name));
    Kept third = mustClaim(length, 1, () -> {});
    t.require(second.name != third.name, "two frames are kept under one name");
    follow(List.of(second, third));
    to.nic.release(second.name);
    follow(List.of(third));
    to.nic.release(third.name);
  }

  /** A name that was used up opens nothing, whatever is kept in its place. */
  private void oldNames(int length) {
    Kept former = mustClaim(length, 1, () -> {});
    to.nic.release(former.name);
    Kept kept = mustClaim(length, 1, () -> {});
    requireReleaseRefused("a frame that was released, in whose place another is kept", former.name);
    follow(List.of(kept));
    to.nic.release(kept.name);
  }

  private void claimedTwice(int length) {
    Kept kept = mustClaim(length, 2, () -> {});
    to.nic.release(kept.name);
    follow(List.of(kept));
    receive(
        length,
        (peer, memory, offset, bytes, name) ->
            t.require(
                to.nic.claim(kept.name),
                "a claimed frame cannot be claimed again while another is delivered"));
    to.nic.release(kept.name);
    follow(List.of(kept));
    to.nic.release(kept.name);
    requireReleaseRefused("a frame that was released as often as claimed", kept.name);
  }
}
