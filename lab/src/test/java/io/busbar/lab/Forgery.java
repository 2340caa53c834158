package io.busbar.lab;

import io.busbar.transport.Count;
import io.busbar.wire.Format;
import io.busbar.wire.Header;
import io.busbar.wire.Options;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** A real frame with one thing changed, and a right checksum; each has a reason to be dropped. */
enum Forgery {
  ANOTHER_NODE_MEANT(Format.DATA, Count.DROP_NOT_FOR_US),
  SENT_BY_ITSELF(Format.DATA, Count.DROP_NOT_FOR_US),
  ANOTHER_GENERATION(Format.DATA, Count.DROP_UNKNOWN_KEY),
  KEY_OF_ANOTHER_LIFE(Format.DATA, Count.DROP_UNKNOWN_KEY),
  KEY_NEVER_MADE(Format.DATA, Count.DROP_UNKNOWN_KEY),
  KEY_OF_ANOTHER_NODE(Format.DATA, Count.DROP_WRONG_NODE),
  ANOTHER_CLUSTER(Format.FIRST, Count.DROP_WRONG_CLUSTER),
  ANOTHER_LIFE_MEANT(Format.FIRST, Count.DROP_WRONG_INCARNATION),
  SENT_BY_ANOTHER_LIFE(Format.FIRST, Count.DROP_WRONG_INCARNATION),
  ANSWER_OF_ANOTHER_LIFE(Format.CNTL, Count.DROP_WRONG_INCARNATION),
  STRAY_DIAGNOSIS(Format.DIAG, Count.DROP_STRAY_DIAG),
  DIAGNOSIS_OF_ANOTHER_CLUSTER(Format.DIAG, Count.DROP_WRONG_CLUSTER),
  ACKNOWLEDGES_WHAT_WAS_NEVER_SENT(Format.CNTL, Count.DROP_BAD_ACK),
  NEGATIVE_SEQUENCE(Format.DATA, Count.DROP_SEQUENCE),
  EDGE_BEHIND_WHAT_CAME(Format.CNTL, Count.DROP_SEQUENCE),
  TO_EVERYONE(Format.DATA, Count.DROP_NODES),
  FROM_EVERYONE(Format.DATA, Count.DROP_NODES),
  FORMAT_WITHOUT_MEANING(Format.DATA, Count.DROP_FORMAT),
  FORMAT_OF_THE_BUS(Format.DATA, Count.DROP_UNEXPECTED),
  ANOTHER_VERSION(Format.DATA, Count.DROP_VERSION),
  OPTION_WITHOUT_MEANING(Format.DATA, Count.DROP_OPTIONS),
  OPTION_OF_ANOTHER_FORMAT(Format.CNTL, Count.DROP_OPTIONS),
  SEAL_NOBODY_ASKED_FOR(Format.DATA, Count.DROP_SEAL_UNEXPECTED),
  NO_CHECKSUM(Format.DATA, Count.DROP_CRC_MISSING),
  BLOCK_WITHOUT_SERIAL(Format.FIRST, Count.DROP_BLOCK),
  SPANS_WITHOUT_A_GAP(Format.CNTL, Count.DROP_SPANS);

  /** Offsets as {@code docs/wire} draws them. */
  private static final class At {
    static final int LENGTH = 2;
    static final int TO = 4;
    static final int FROM = 6;
    static final int KEY = 8;
    static final int SEQ = 16;
    static final int OPTIONS = 30;
    static final int FIRST_CLUSTER = Header.BYTES + 8;
    static final int FIRST_SOURCE = Header.BYTES + 16;
    static final int FIRST_DEST = Header.BYTES + 24;
    static final int FIRST_SERIAL = Header.BYTES + 32;
    static final int CNTL_RSEQ = Header.BYTES;
    static final int CNTL_ALLOC = Header.BYTES + 8;
    static final int CNTL_KEY = Header.BYTES + 16;
    static final int DIAG_CLUSTER = Header.BYTES + 8;
  }

  private static final int CRC_BYTES = 4;
  private static final int ROOM = 32;

  final Count reason;
  private final int format;

  Forgery(int format, Count reason) {
    this.format = format;
    this.reason = reason;
  }

  /** The end that gets it: the one that got the real frame. */
  int target() {
    return format == Format.CNTL || format == Format.DIAG ? 0 : 1;
  }

  /** Forges a frame of its format that was really sent; the association must be open. */
  byte[] forge(LivePair live) {
    byte[] real =
        format == Format.DIAG ? live.oldest(format, target()) : live.newest(format, target());
    ByteBuffer frame =
        ByteBuffer.wrap(Arrays.copyOf(real, real.length + ROOM)).order(ByteOrder.LITTLE_ENDIAN);
    change(frame);
    int end = Header.BYTES + Short.toUnsignedInt(frame.getShort(At.LENGTH));
    CRC32C sum = new CRC32C();
    sum.update(frame.array(), 0, end);
    frame.putInt(end, (int) sum.getValue());
    int options = frame.getShort(At.OPTIONS);
    int tail = (options & Options.SEAL) == 0 ? CRC_BYTES : CRC_BYTES + 24;
    return Arrays.copyOf(frame.array(), end + tail);
  }

  private void change(ByteBuffer f) {
    switch (this) {
      case ANOTHER_NODE_MEANT -> f.putShort(At.TO, (short) 5);
      case SENT_BY_ITSELF -> f.putShort(At.FROM, (short) 1);
      case ANOTHER_GENERATION -> flip(f, At.KEY, 1L << 30);
      case KEY_OF_ANOTHER_LIFE -> flip(f, At.KEY, 1L << 50);
      case KEY_NEVER_MADE -> flip(f, At.KEY, 0xFFFF);
      case KEY_OF_ANOTHER_NODE -> f.putShort(At.FROM, (short) 7);
      case ANOTHER_CLUSTER -> flip(f, At.FIRST_CLUSTER, 1);
      case ANOTHER_LIFE_MEANT -> flip(f, At.FIRST_DEST, 1);
      case SENT_BY_ANOTHER_LIFE -> flip(f, At.FIRST_SOURCE, 1);
      case ANSWER_OF_ANOTHER_LIFE -> flip(f, At.CNTL_KEY, 1L << 50);
      case STRAY_DIAGNOSIS -> flip(f, At.KEY, 1L << 30);
      case DIAGNOSIS_OF_ANOTHER_CLUSTER -> flip(f, At.DIAG_CLUSTER, 1);
      case ACKNOWLEDGES_WHAT_WAS_NEVER_SENT -> acknowledge(f);
      case NEGATIVE_SEQUENCE -> f.putLong(At.SEQ, -1);
      case EDGE_BEHIND_WHAT_CAME -> f.putLong(At.CNTL_RSEQ, 1L << 60);
      case TO_EVERYONE -> f.putShort(At.TO, (short) Header.EVERYONE);
      case FROM_EVERYONE -> f.putShort(At.FROM, (short) Header.EVERYONE);
      case FORMAT_WITHOUT_MEANING -> f.put(0, (byte) 0x16);
      case FORMAT_OF_THE_BUS -> f.put(0, (byte) 0x19);
      case ANOTHER_VERSION -> f.put(0, (byte) 0x22);
      case OPTION_WITHOUT_MEANING -> option(f, 0x0100);
      case OPTION_OF_ANOTHER_FORMAT -> option(f, Options.EOM);
      case SEAL_NOBODY_ASKED_FOR -> seal(f);
      case NO_CHECKSUM -> option(f, Options.CRC);
      case BLOCK_WITHOUT_SERIAL -> f.putLong(At.FIRST_SERIAL, 0);
      case SPANS_WITHOUT_A_GAP -> spans(f);
    }
  }

  private static void acknowledge(ByteBuffer frame) {
    frame.putLong(At.CNTL_RSEQ, 1L << 30);
    frame.putLong(At.CNTL_ALLOC, 1L << 30);
  }

  private static void flip(ByteBuffer frame, int at, long bits) {
    frame.putLong(at, frame.getLong(at) ^ bits);
  }

  private static void option(ByteBuffer frame, int bit) {
    frame.putShort(At.OPTIONS, (short) (frame.getShort(At.OPTIONS) ^ bit));
  }

  private static void seal(ByteBuffer frame) {
    option(frame, Options.SEAL);
  }

  /** Makes ECNTL of CNTL, with a span that begins where the gap should be. */
  private static void spans(ByteBuffer frame) {
    long rseq = frame.getLong(At.CNTL_RSEQ);
    frame.put(0, (byte) (0x10 | Format.ECNTL));
    frame.putShort(At.LENGTH, (short) (frame.getShort(At.LENGTH) + 16));
    frame.putLong(Header.BYTES + 48, rseq);
    frame.putLong(Header.BYTES + 56, rseq + 10);
  }
}
