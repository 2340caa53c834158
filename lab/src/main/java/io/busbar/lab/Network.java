package io.busbar.lab;

import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;

/**
 * A switch with a link to each node. A frame waits for its sender's link, crosses, meets its fate,
 * waits in the port of its receiver, and arrives.
 */
public final class Network {
  /** Who takes frames that arrive; it must not keep the bytes. */
  @FunctionalInterface
  interface Receiver {
    void onArrival(SimFrame frame);
  }

  /** Who watches; the words say what became of the frame. */
  @FunctionalInterface
  public interface Watcher {
    /** A frame was sent, lost, or arrived. */
    void onFrame(long nowNs, String what, MemorySegment bytes, int length);
  }

  private static final class Port {
    long linkFreeNs;
    long portFreeNs;
    final LongQueue onLink = new LongQueue();
    final LongQueue inPort = new LongQueue();
    Receiver receiver = frame -> {};
  }

  private final Schedule schedule;
  private final LinkSpec link;
  private final Faults faults;
  private final boolean hardwareDropsCorrupted;
  private final int frameBytesMax;
  private final Port[] ports;
  private final ArrayDeque<SimFrame> spare = new ArrayDeque<>();
  private Watcher watcher = (now, what, bytes, length) -> {};
  private long frames;
  private long queueDrops;

  Network(
      Schedule schedule,
      LinkSpec link,
      Faults faults,
      boolean hardwareDropsCorrupted,
      int nodes,
      int frameBytesMax) {
    this.schedule = schedule;
    this.link = link;
    this.faults = faults;
    this.hardwareDropsCorrupted = hardwareDropsCorrupted;
    this.frameBytesMax = frameBytesMax;
    ports = new Port[nodes];
    for (int i = 0; i < nodes; i++) {
      ports[i] = new Port();
    }
  }

  void attach(int node, Receiver receiver) {
    ports[node].receiver = receiver;
  }

  /** Sets who watches. */
  public void watch(Watcher newWatcher) {
    watcher = newWatcher;
  }

  /** Frames that entered the network. */
  public long frames() {
    return frames;
  }

  /** Frames dropped because a port's queue was full. */
  public long queueDrops() {
    return queueDrops;
  }

  /** When the sender's interface has room for a frame again. */
  long roomAtNs(int from) {
    Port port = ports[from];
    return port.onLink.isEmpty() ? 0 : port.onLink.first();
  }

  /** Takes a frame; false when the sender's interface is full. */
  boolean send(int from, int to, FrameBuilder built) {
    long now = schedule.nowNs();
    Port port = ports[from];
    port.onLink.dropUpTo(now);
    if (port.onLink.size() >= link.nicFrames()) {
      return false;
    }
    SimFrame frame = spare.isEmpty() ? new SimFrame(frameBytesMax) : spare.pop();
    frame.from = from;
    frame.to = to;
    frame.length = built.frameBytes();
    frame.references = 1;
    built.copyTo(frame.bytes, 0);
    frames++;
    watcher.onFrame(now, "sent", frame.bytes, frame.length);
    port.linkFreeNs = Math.max(port.linkFreeNs, now) + link.durationNs(frame.length);
    port.onLink.add(port.linkFreeNs);
    if (to >= ports.length) {
      discard(frame, "nobody");
      return true;
    }
    long late = faults.lateNs();
    schedule.at(port.linkFreeNs + link.latencyNs() / 2 + late, () -> atSwitch(frame));
    return true;
  }

  private void atSwitch(SimFrame frame) {
    switch (faults.fate(frame.from, frame.to)) {
      case LOST -> {
        discard(frame, "lost");
        return;
      }
      case CORRUPTED -> {
        if (hardwareDropsCorrupted) {
          discard(frame, "corrupted");
          return;
        }
        corrupt(frame);
      }
      case TRUNCATED -> frame.length = faults.pick(frame.length);
      case PASSES -> {}
    }
    boolean twice = faults.comesTwice();
    toPort(frame);
    if (twice && frame.references > 0) {
      frame.references++;
      toPort(frame);
    }
  }

  private void corrupt(SimFrame frame) {
    for (int flips = 1 + faults.pick(3); flips > 0; flips--) {
      int at = faults.pick(frame.length);
      byte old = frame.bytes.get(ValueLayout.JAVA_BYTE, at);
      frame.bytes.set(ValueLayout.JAVA_BYTE, at, (byte) (old ^ 1 << faults.pick(8)));
    }
  }

  private void toPort(SimFrame frame) {
    long now = schedule.nowNs();
    Port port = ports[frame.to];
    port.inPort.dropUpTo(now);
    if (port.inPort.size() >= link.queueFrames()) {
      queueDrops++;
      discard(frame, "overflow");
      return;
    }
    port.portFreeNs = Math.max(port.portFreeNs, now) + link.durationNs(frame.length);
    port.inPort.add(port.portFreeNs);
    long arrival = port.portFreeNs + (link.latencyNs() + 1) / 2;
    schedule.at(arrival, () -> arrive(frame));
  }

  private void arrive(SimFrame frame) {
    watcher.onFrame(schedule.nowNs(), "arrived", frame.bytes, frame.length);
    ports[frame.to].receiver.onArrival(frame);
    release(frame);
  }

  private void discard(SimFrame frame, String why) {
    watcher.onFrame(schedule.nowNs(), why, frame.bytes, frame.length);
    release(frame);
  }

  /** Counts a reference down; the last one gives the buffer back. */
  void release(SimFrame frame) {
    if (--frame.references == 0) {
      spare.push(frame);
    }
  }
}
