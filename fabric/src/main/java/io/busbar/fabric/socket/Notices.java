package io.busbar.fabric.socket;

import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicEvents;
import io.busbar.linux.SystemCallException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;

/**
 * What is to be reported, kept until the interface is at rest, because who listens may call it.
 * Nothing is allocated for what was reported before.
 */
public final class Notices {
  private static final int ERRNOS = 256;

  private final NicEvents events;
  private final Set<String> told = new HashSet<>();
  private final boolean[] toldOfSending = new boolean[ERRNOS];
  private final boolean[] toldOfReceiving = new boolean[ERRNOS];
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  /** For somebody who listens. */
  public Notices(NicEvents events) {
    this.events = events;
  }

  /** A warning, the first time that its kind appears. */
  public void warnOnce(String kind, String text) {
    if (told.add(kind)) {
      waiting.add(() -> events.onWarning(text));
    }
  }

  /** The kernel refused a frame for good: a warning, the first time for each errno. */
  public void lost(int errno, NicAddress peer) {
    if (isNew(errno, toldOfSending)) {
      warn(new SystemCallException("send frames to " + peer.text(), "sendmmsg", errno));
    }
  }

  /** The kernel cannot receive: a warning, the first time for each errno. */
  public void deaf(int errno) {
    if (isNew(errno, toldOfReceiving)) {
      warn(new SystemCallException("receive frames", "recvmmsg", errno));
    }
  }

  private static boolean isNew(int errno, boolean[] told) {
    int kind = Math.min(errno, told.length - 1);
    boolean isNew = !told[kind];
    told[kind] = true;
    return isNew;
  }

  private void warn(SystemCallException failure) {
    waiting.add(() -> events.onWarning("%s".formatted(failure.getMessage())));
  }

  /** The longest frame to a peer has changed. */
  public void frameBytesMax(int peer, int bytes) {
    waiting.add(() -> events.onFrameBytesMax(peer, bytes));
  }

  /** Reports what waits; called where any method of the interface may be called. */
  public void report() {
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
  }
}
