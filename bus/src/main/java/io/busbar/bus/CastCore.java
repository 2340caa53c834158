package io.busbar.bus;

import io.busbar.wire.CastBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Header;
import io.busbar.wire.Seal;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** What the streams of a node share. */
final class CastCore {
  static final long NEVER = Long.MAX_VALUE;

  final CastConfig config;
  final CastSink sink;
  final CastUser user;
  final SplittableRandom random;

  /** Bytes of a stream that a frame carries, if not all who read take longer ones. */
  final int payloadBytes;

  private final FrameBuilder builder;
  private final long[] counts = new long[CastCount.values().length];

  CastCore(CastConfig config, CastSink sink, CastUser user) {
    this.config = config;
    this.sink = sink;
    this.user = user;
    this.random = new SplittableRandom(config.seed());
    this.payloadBytes = payloadBytes(config.frameBytesMax());
    this.builder =
        new FrameBuilder(MemorySegment.ofArray(new byte[config.frameBytesMax()]), false, Seal.NONE);
  }

  private static int payloadBytes(int frameBytes) {
    return (frameBytes - Header.BYTES) & -Long.BYTES;
  }

  /** Bytes of a stream that a frame carries which is begun now. */
  int payloadBytesNow() {
    return Math.max(payloadBytes, payloadBytes(sink.frameBytesMax()));
  }

  /** For how many frames of this node's own length one counts. */
  int weight(int bytes) {
    return Math.max(1, (bytes + payloadBytes - 1) / payloadBytes);
  }

  void count(CastCount what) {
    counts[what.slot]++;
  }

  long counted(CastCount what) {
    return counts[what.slot];
  }

  /** How many entries of a list a frame has room for. */
  int listMax(int entryBytes) {
    return (config.frameBytesMax() - Header.BYTES - CastBlock.BYTES) / entryBytes;
  }

  /** Begins a frame that says something of a stream; returns where its list is. */
  long beginControl(int kind, int count, int entryBytes, int token, long seq, long limit) {
    return beginControl(kind, count, entryBytes, token, seq, limit, 0);
  }

  long beginControl(
      int kind, int count, int entryBytes, int token, long seq, long limit, long group) {
    builder.begin();
    long at = builder.reserve(CastBlock.BYTES + count * entryBytes);
    CastBlock.write(builder.scratch(), at, kind, count, token, seq, limit, group);
    return at + CastBlock.BYTES;
  }

  MemorySegment scratch() {
    return builder.scratch();
  }

  FrameBuilder finishControl(int to, long key) {
    builder.finish(Format.CASTC, 0, to, config.id(), key, config.incarnation(), 0, 0, 0);
    return builder;
  }

  /** A frame of a stream. */
  FrameBuilder data(
      long key, long seq, long base, int asked, int options, MemorySegment from, long at, int n) {
    builder.begin();
    builder.bytes(from, at, n);
    builder.finish(Format.CAST, 0, Header.EVERYONE, config.id(), key, seq, base, asked, options);
    return builder;
  }

  /** A time, give or take a quarter. */
  long jitter(long ns) {
    return ns - ns / 4 + random.nextLong(Math.max(1, ns / 2));
  }
}
