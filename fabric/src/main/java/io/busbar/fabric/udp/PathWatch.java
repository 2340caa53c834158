package io.busbar.fabric.udp;

import io.busbar.fabric.socket.Cadence;
import io.busbar.fabric.socket.Notices;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the device's MTU was changed, that a path has become wider, or that a device was
 * made anew and its groups are forgotten: no error tells any of it to who only listens.
 */
final class PathWatch {
  private static final int LOOKS_PER_PEER = 1 << 6;

  private final PathMtu paths;
  private final PeerTable peers;
  private final @Nullable Everyone everyone;
  private final Notices notices;
  private final Cadence cadence = new Cadence();
  private int looks;

  PathWatch(PathMtu paths, PeerTable peers, @Nullable Everyone everyone, Notices notices) {
    this.paths = paths;
    this.everyone = everyone;
    this.peers = peers;
    this.notices = notices;
  }

  /** At every poll. */
  void look() {
    if (cadence.isDue()) {
      lookNow();
    }
  }

  /** Before every sleep. */
  void lookBeforeSleep() {
    if (cadence.isDueBeforeSleep()) {
      lookNow();
    }
  }

  private void lookNow() {
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
