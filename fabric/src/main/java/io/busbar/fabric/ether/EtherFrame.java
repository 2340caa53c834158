package io.busbar.fabric.ether;

import io.busbar.linux.FrameProgram;
import io.busbar.wire.Header;
import io.busbar.wire.Incarnation;
import io.busbar.wire.Options;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** What a frame looks like on Ethernet: addresses and type, then Busbar's own header. */
final class EtherFrame {
  /** IEEE's first EtherType for local experiments. */
  static final int TYPE = 0x88B5;

  /** Bytes of the Ethernet header. */
  static final int HEADER_BYTES = 14;

  /** What a frame has at least: the two headers. */
  static final int BYTES_MIN = HEADER_BYTES + Header.BYTES;

  private static final int SOURCE_AT = 6;
  private static final int TYPE_AT = 12;
  private static final int TO_AT = HEADER_BYTES + Header.TO_AT;
  private static final int FROM_AT = HEADER_BYTES + Header.FROM_AT;
  private static final int KEY_LIFE_AT = HEADER_BYTES + Header.KEY_AT + 5;
  private static final int OPTIONS_AT = HEADER_BYTES + Header.OPTIONS_AT;

  private static final ValueLayout.OfLong NET_LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt NET_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort NET_SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort LE_SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private EtherFrame() {}

  /** The first eight bytes of the frames from one hardware address to another. */
  static long headOf(long to, long from) {
    return to << 16 | from >>> 32;
  }

  /** Writes the Ethernet header: its first eight bytes, and who the frame comes from. */
  static void writeHead(MemorySegment memory, long at, long head, long from) {
    memory.set(NET_LONG, at, head);
    memory.set(NET_INT, at + Long.BYTES, (int) from);
    memory.set(NET_SHORT, at + TYPE_AT, (short) TYPE);
  }

  /** The hardware address that a frame came from. */
  static long source(MemorySegment memory, long at) {
    return memory.get(NET_LONG, at + SOURCE_AT) >>> 16;
  }

  /** The node that a frame says it comes from. */
  static int from(MemorySegment memory, long at) {
    return memory.get(LE_SHORT, at + FROM_AT) & 0xFFFF;
  }

  /**
   * The program that tells the frames of a node from all others: those to its id, if their key is
   * not its own, or is one of its life; and, where they are wanted, those to everyone.
   */
  static <T extends FrameProgram> T forNode(T program, int node, long life, boolean broadcasts) {
    program.loadShort(TYPE_AT).jumpEqual(TYPE, 1, 0).reject();
    program.loadShort(TO_AT);
    if (broadcasts) {
      program.jumpEqual(Header.EVERYONE, 0, 1).accept();
    }
    program.jumpEqual(Short.reverseBytes((short) node) & 0xFFFF, 1, 0).reject();
    if (life != 0) {
      int bits = Incarnation.keyBits(life);
      program.loadByte(OPTIONS_AT).and(Options.RTN).jumpEqual(0, 0, 1).accept();
      for (int i = 0; i < 3; i++) {
        program.loadByte(KEY_LIFE_AT + i).jumpEqual(bits >>> (8 * i) & 0xFF, 1, 0).reject();
      }
    }
    program.accept();
    return program;
  }
}
