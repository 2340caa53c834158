package io.busbar.lab;

import io.busbar.fabric.Nic;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;

/**
 * A switch with a link to each node. A frame waits for its sender's link, crosses, meets its fate,
 * waits in the port of its receiver, and arrives. A frame to everyone crosses its sender's link
 * once, and meets a fate of its own on the way to each of the others.
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

  private static final Receiver NOBODY = frame -> {};

  private static final class Port {
    long linkFreeNs;
    long portFreeNs;
    final LongQueue onLink = new LongQueue();
    final LongQueue inPort = new LongQueue();
    Receiver receiver = NOBODY;
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

  /**
   * A switch with as many ports as nodes.
   *
   * @param hardwareDropsCorrupted whether a corrupted frame is lost, as behind Ethernet's checksum
   * @param frameBytesMax the longest frame
   */
  public Network(
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

  void detach(int node) {
    ports[node].receiver = NOBODY;
  }

  int frameBytesMax() {
    return frameBytesMax;
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

  /** Whether the sender's interface has room for a frame. */
  boolean hasRoom(int from) {
    LongQueue onLink = ports[from].onLink;
    onLink.dropUpTo(schedule.nowNs());
    return onLink.size() < link.nicFrames();
  }

  /** Takes a frame that is gathered from parts; false when the sender's interface is full. */
  boolean send(int from, int to, FrameBuilder built) {
    if (!hasRoom(from)) {
      return false;
    }
    SimFrame frame = frame(from, to, built.frameBytes());
    built.copyTo(frame.bytes, 0);
    send(frame);
    return true;
  }

  /** Takes a frame in one piece; false when the sender's interface is full. */
  boolean send(int from, int to, MemorySegment bytes, long offset, int length) {
    if (!hasRoom(from)) {
      return false;
    }
    SimFrame frame = frame(from, to, length);
    MemorySegment.copy(bytes, offset, frame.bytes, 0, length);
    send(frame);
    return true;
  }

  private SimFrame frame(int from, int to, int length) {
    SimFrame frame = spare.isEmpty() ? new SimFrame(frameBytesMax) : spare.pop();
    frame.from = from;
    frame.to = to;
    frame.length = length;
    frame.references = 1;
    return frame;
  }

  private void send(SimFrame frame) {
    long now = schedule.nowNs();
    Port port = ports[frame.from];
    frames++;
    watcher.onFrame(now, "sent", frame.bytes, frame.length);
    port.linkFreeNs = Math.max(port.linkFreeNs, now) + link.durationNs(frame.length);
    port.onLink.add(port.linkFreeNs);
    if (frame.to >= ports.length && frame.to != Nic.EVERYONE) {
      discard(frame, "nobody");
      return;
    }
    long late = faults.lateNs();
    schedule.at(port.linkFreeNs + link.latencyNs() / 2 + late, () -> atSwitch(frame));
  }

  private void atSwitch(SimFrame frame) {
    if (frame.to != Nic.EVERYONE) {
      meetFate(frame);
      return;
    }
    for (int to = 0; to < ports.length; to++) {
      if (to != frame.from) {
        SimFrame copy = frame(frame.from, to, frame.length);
        MemorySegment.copy(frame.bytes, 0, copy.bytes, 0, frame.length);
        meetFate(copy);
      }
    }
    release(frame);
  }

  private void meetFate(SimFrame frame) {
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
