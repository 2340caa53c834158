package io.busbar.fabric;

import io.busbar.wire.FrameBuilder;
import io.busbar.wire.FramePrinter;
import io.busbar.wire.FrameView;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Writes what an interface does, one line each: microseconds since the trace was made, what
 * happened, the peer, the length, and the frame. {@code *} is everyone, {@code ?} a stranger.
 *
 * <p>An interface gets its events when it is made, a {@link TracingNic} its interface: the trace is
 * made first, {@link #events wraps} the events, and is given to both.
 */
public final class NicTrace {
  private static final int HEX_BYTES_MAX = 16;
  private static final int TIME_WIDTH = 14;
  private static final int WHAT_WIDTH = 9;
  private static final int LENGTH_WIDTH = 6;

  private final LongSupplier nowNs;
  private final Consumer<String> to;
  private final long startNs;
  private final FrameView view = new FrameView();
  private MemorySegment gathered = MemorySegment.ofArray(new byte[2048]);

  /** Lines go to {@code to}; times come from {@code nowNs}, and no clock is read. */
  public NicTrace(LongSupplier nowNs, Consumer<String> to) {
    this.nowNs = nowNs;
    this.to = to;
    startNs = nowNs.getAsLong();
  }

  /** The same to a stream. */
  public NicTrace(LongSupplier nowNs, PrintStream to) {
    this(nowNs, to::println);
  }

  /** Events that are written down, then told on. */
  public NicEvents events(NicEvents on) {
    return new NicEvents() {
      @Override
      public void onPeer(int peer) {
        event("peer", peer, "opened a way to us");
        on.onPeer(peer);
      }

      @Override
      public void onPeerGone(int peer, String why) {
        event("left", peer, why);
        on.onPeerGone(peer, why);
      }

      @Override
      public void onProcessEnded(int peer) {
        event("ended", peer, "its process has ended");
        on.onProcessEnded(peer);
      }

      @Override
      public void onNoWay(int peer, String why) {
        event("no way", peer, why);
        on.onNoWay(peer, why);
      }

      @Override
      public void onFrameBytesMax(int peer, int bytes) {
        event("longest", peer, bytes + " bytes");
        on.onFrameBytesMax(peer, bytes);
      }

      @Override
      public void onWarning(String what) {
        event("warning", what);
        on.onWarning(what);
      }
    };
  }

  /** Something that concerns no peer. */
  void event(String what, String words) {
    to.accept(head(what).append(words).toString());
  }

  /** Something about a peer. */
  void event(String what, int peer, String words) {
    to.accept(head(what).append(name(peer)).append("  ").append(words).toString());
  }

  /** A frame in one piece. */
  void frame(String what, String peer, MemorySegment memory, long offset, int length) {
    StringBuilder line = head(what).append(peer).append("  ");
    pad(line, Integer.toString(length), LENGTH_WIDTH);
    to.accept(line.append("  ").append(text(memory, offset, length)).toString());
  }

  /** A frame in parts. */
  void frame(String what, String peer, FrameBuilder frame) {
    int length = frame.frameBytes();
    if (gathered.byteSize() < length) {
      gathered = MemorySegment.ofArray(new byte[length]);
    }
    frame.copyTo(gathered, 0);
    frame(what, peer, gathered, 0, length);
  }

  /** How a peer is written. */
  static String name(int peer) {
    return switch (peer) {
      case Nic.EVERYONE -> "*";
      case Nic.STRANGER -> "?";
      default -> Integer.toString(peer);
    };
  }

  private String text(MemorySegment memory, long offset, int length) {
    if (view.wrap(memory, offset, length).ok()) {
      return FramePrinter.line(view);
    }
    int shown = Math.min(length, HEX_BYTES_MAX);
    byte[] first = memory.asSlice(offset, shown).toArray(ValueLayout.JAVA_BYTE);
    return HexFormat.ofDelimiter(" ").formatHex(first) + (shown < length ? " ..." : "");
  }

  private StringBuilder head(String what) {
    long ns = nowNs.getAsLong() - startNs;
    String fraction = Long.toString(1000 + Math.floorMod(ns, 1000)).substring(1);
    StringBuilder line = new StringBuilder(128);
    pad(line, Math.floorDiv(ns, 1000) + "." + fraction, TIME_WIDTH);
    line.append("  ").append(what);
    return line.repeat(' ', Math.max(0, WHAT_WIDTH - what.length())).append("  ");
  }

  private static void pad(StringBuilder line, String number, int width) {
    line.repeat(' ', Math.max(0, width - number.length())).append(number);
  }
}
