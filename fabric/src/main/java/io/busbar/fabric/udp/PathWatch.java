package io.busbar.fabric.udp;

import org.jspecify.annotations.Nullable;

/**
 * Notices that the device's MTU was changed, that a path has become wider, or that a device was
 * made anew and its groups are forgotten: no error tells any of it to who only listens. It looks
 * every so many polls, and more often where each poll is a sleep: for one system call in thousands,
 * and a few more in a million.
 */
final class PathWatch {
  private static final int POLLS_PER_LOOK = 1 << 14;
  private static final int POLLS_PER_SLEEP = 1 << 8;
  private static final int LOOKS_PER_PEER = 1 << 6;

  private final PathMtu paths;
  private final PeerTable peers;
  private final @Nullable Everyone everyone;
  private final Notices notices;
  private int polls;
  private int looks;

  PathWatch(PathMtu paths, PeerTable peers, @Nullable Everyone everyone, Notices notices) {
    this.paths = paths;
    this.everyone = everyone;
    this.peers = peers;
    this.notices = notices;
  }

  /** At every poll. */
  void look() {
    if (++polls >= POLLS_PER_LOOK) {
      lookNow();
    }
  }

  /** Before every sleep. */
  void lookBeforeSleep() {
    polls += POLLS_PER_SLEEP;
    if (polls >= POLLS_PER_LOOK) {
      lookNow();
    }
  }

  private void lookNow() {
    polls = 0;
    if (everyone != null) {
      everyone.renew();
    }
    if (paths.hasDeviceChanged()) {
      paths.learnAll(peers, notices);
    } else if (++looks >= LOOKS_PER_PEER) {
      looks = 0;
      paths.learnNext(peers, notices);
    }
  }
}
