package io.busbar.lab;

import io.busbar.wire.FirstBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Options;
import io.busbar.wire.Records;
import io.busbar.wire.Seal;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A stream of records that frames cut at odd places, inside of headers too; two frames change
 * places on the way, and one comes twice.
 */
final class StreamOfRecords {
  private static final int[] LENGTHS = {5, 0, 16, 100, 8, 1, 40};

  /** Where the stream is cut; 20, 30 and 180 lie inside of a header. */
  private static final int[] CUTS = {0, 11, 20, 30, 75, 160, 180};

  /** The order in which the pieces leave. */
  private static final int[] ORDER = {0, 1, 3, 2, 4, 5, 3, 6};

  private final byte[] stream;
  private final List<Integer> heads = new ArrayList<>();

  StreamOfRecords() {
    ByteBuffer out = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);
    for (int length : LENGTHS) {
      heads.add(out.position());
      out.putLong(Records.header(Records.WHOLE, 0, 3, length));
      out.position(out.position() + length + Records.padding(length));
    }
    stream = new byte[out.position()];
    out.get(0, stream);
  }

  /** A record of four words, as it stands in a frame of its own. */
  static byte[] words(int handler, int... words) {
    ByteBuffer out = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(Records.header(Records.WORDS, 0, handler, 16));
    for (int word : words) {
      out.putInt(word);
    }
    return out.array();
  }

  private static int end(int piece, int all) {
    return piece + 1 < CUTS.length ? CUTS[piece + 1] : all;
  }

  /** FIRST, then DATA; the first frame carries the first piece. */
  List<byte[]> frames() {
    List<byte[]> frames = new ArrayList<>();
    for (int piece : ORDER) {
      FrameBuilder out = new FrameBuilder(MemorySegment.ofArray(new byte[1024]), false, Seal.NONE);
      out.begin();
      int from = CUTS[piece];
      if (piece == 0) {
        long at = out.reserve(FirstBlock.BYTES);
        FirstBlock.write(out.scratch(), at, 1, 1500, 1, 2, 3, 4, 1, 1, 10, 1, 0);
      }
      out.bytes(MemorySegment.ofArray(stream), from, end(piece, stream.length) - from);
      int format = piece == 0 ? Format.FIRST : Format.DATA;
      out.finish(format, 1, 2, 1, 77, from, 0, 0, piece == 0 ? 0 : Options.SREQ);
      byte[] frame = new byte[out.frameBytes()];
      out.copyTo(MemorySegment.ofArray(frame), 0);
      frames.add(frame);
    }
    return frames;
  }

  /**
   * The lengths of the records that begin in the n-th frame, with their headers whole; none of one
   * that overtook another, because nothing tells yet where records begin in it.
   */
  String lengthsIn(int n) {
    int piece = ORDER[n];
    if (n == 2) {
      return "";
    }
    List<String> lengths = new ArrayList<>();
    for (int i = 0; i < LENGTHS.length; i++) {
      int head = heads.get(i);
      if (head >= CUTS[piece] && head + Records.HEADER_BYTES <= end(piece, stream.length)) {
        lengths.add(Integer.toString(LENGTHS[i]));
      }
    }
    return String.join(",", lengths);
  }
}
