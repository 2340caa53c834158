package io.busbar.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.busbar.wire.FrameView;
import io.busbar.wire.Seal;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;

/**
 * Frames that fail a check, thrown into a live association at any moment, change nothing: the
 * transfer ends as it would have. The input is a list of things to do, a byte each, with their
 * arguments behind them.
 */
@Tag("fuzz")
class LiveAssociationFuzz {
  private static final int THINGS_MAX = 200;
  private static final List<Forgery> FORGERIES = List.of(Forgery.values());

  private final FrameView judge = new FrameView(true, Seal.NONE);

  @FuzzTest
  void survives(byte[] input) {
    ByteBuffer script = ByteBuffer.wrap(input);
    LivePair live = new LivePair();
    for (int i = 0; i < THINGS_MAX && script.hasRemaining(); i++) {
      int thing = script.get();
      int node = thing >>> 2 & 1;
      switch (thing & 3) {
        case 0 -> live.step(next(script) & 0x3F);
        case 1 -> inject(live, node, noise(script));
        case 2 -> inject(live, node, damaged(live, script));
        default -> forge(live, script);
      }
    }
    live.finish();
    assertThat(live.a.bytes).isEqualTo(LivePair.BYTES);
    assertThat(live.b.bytes).isEqualTo(LivePair.BYTES);
    assertThat(live.a.told).endsWith("ended DISSOLVED");
    assertThat(live.b.told).endsWith("ended DISSOLVED");
  }

  private static int next(ByteBuffer script) {
    return script.hasRemaining() ? script.get() & 0xFF : 0;
  }

  private static byte[] noise(ByteBuffer script) {
    byte[] bytes = new byte[Math.min(next(script), script.remaining())];
    script.get(bytes);
    return bytes;
  }

  /** A frame that was really sent, with up to four bytes changed. */
  private static byte[] damaged(LivePair live, ByteBuffer script) {
    byte[] frame = live.sent.get(next(script) % live.sent.size()).clone();
    for (int changes = 1 + (next(script) & 3); changes > 0; changes--) {
      int at = next(script) | next(script) << 8;
      frame[at % frame.length] ^= (byte) next(script);
    }
    return frame;
  }

  /** Without a seal, who can write a sound frame can do harm; such inputs prove nothing. */
  private void inject(LivePair live, int node, byte[] frame) {
    if (!judge.wrap(MemorySegment.ofArray(frame), 0, frame.length).ok()) {
      injectDropped(live, node, frame);
    }
  }

  /** Forged frames have sound checksums, and are dropped for what they say. */
  private static void forge(LivePair live, ByteBuffer script) {
    Forgery forgery = FORGERIES.get(next(script) % FORGERIES.size());
    live.toTheMiddle();
    if (live.isOpen()) {
      injectDropped(live, forgery.target(), forgery.forge(live));
    }
  }

  private static void injectDropped(LivePair live, int node, byte[] frame) {
    LivePair.State before = live.state(node);
    long dropped = live.end(node).node().transport().counters().dropped();
    live.inject(node, frame);
    assertThat(live.end(node).node().transport().counters().dropped()).isEqualTo(dropped + 1);
    assertThat(live.state(node)).isEqualTo(before);
  }
}
