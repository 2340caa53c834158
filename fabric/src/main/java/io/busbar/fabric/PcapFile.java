package io.busbar.fabric;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A capture that tshark and Wireshark open: pcap with nanoseconds, link type Ethernet. The file is
 * a header of 24 bytes, then for each frame 16 bytes (seconds, nanoseconds, bytes kept, bytes that
 * it had), an Ethernet header of 14 (to, from, EtherType) and the frame. What is longer than {@link
 * #FRAME_BYTES_MAX} is cut.
 *
 * <p>Frames are gathered in a buffer, which goes to the file when it is full, at {@link #flush} and
 * at {@link #close}, whole frames at a time: a crash leaves a file that can be read up to there.
 * Memory is bounded by the buffer. At the size limit, and when the file cannot be written, the
 * capture ends: that is told once, what comes then is counted, and nothing is thrown.
 *
 * <p>One thread at a time. A frame is written by {@link #begin}, {@link #add} for each part, {@link
 * #end}; without {@code end} it was never there. None of them allocates.
 */
public final class PcapFile implements AutoCloseable {
  /** What a file may grow to, unless somebody says otherwise. */
  public static final long BYTES_MAX = 256L << 20;

  /** The most that Wireshark takes of a frame, Ethernet header included. */
  static final int FRAME_BYTES_MAX = 262_144;

  static final int FILE_HEADER_BYTES = 24;
  static final int RECORD_HEADER_BYTES = 16;
  static final int ETHERNET_HEADER_BYTES = 14;

  private static final int MAGIC_NS = 0xA1B2_3C4D;
  private static final short VERSION_MAJOR = 2;
  private static final short VERSION_MINOR = 4;
  private static final int LINK_ETHERNET = 1;

  /** A frame of any length finds room behind as much again. */
  private static final int BUFFER_BYTES = 2 * (RECORD_HEADER_BYTES + FRAME_BYTES_MAX);

  private static final long NS_PER_S = 1_000_000_000;

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort NET_SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt NET_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final OutputStream out;
  private final String name;
  private final long bytesMax;
  private final Consumer<String> onEnd;
  private final byte[] bytes = new byte[BUFFER_BYTES];
  private final MemorySegment buffer = MemorySegment.ofArray(bytes);

  /** Bytes of the buffer that hold whole frames, and how many those are. */
  private int used;

  private int buffered;

  /** The frame that is being written: where it ends so far, and how long it is without cuts. */
  private int next;

  private long frameBytes;
  private long written;
  private long frames;
  private long leftOut;
  private boolean ended;

  /**
   * A file of its own for a capture; one that is there is replaced.
   *
   * @param bytesMax how long it may become
   * @param onEnd told, in words, when the capture ends before it is closed
   * @throws IOException when there can be no such file
   */
  public PcapFile(Path file, long bytesMax, Consumer<String> onEnd) throws IOException {
    // No channel: that would be closed under the others when a thread is interrupted.
    this(new FileOutputStream(file.toFile()), file.toString(), bytesMax, onEnd);
    flush();
    if (ended) {
      out.close();
      throw new IOException(file + " cannot be written");
    }
  }

  PcapFile(OutputStream out, String name, long bytesMax, Consumer<String> onEnd) {
    this.out = out;
    this.name = name;
    this.bytesMax = bytesMax;
    this.onEnd = onEnd;
    buffer.set(INT, 0, MAGIC_NS);
    buffer.set(SHORT, 4, VERSION_MAJOR);
    buffer.set(SHORT, 6, VERSION_MINOR);
    buffer.set(INT, 16, FRAME_BYTES_MAX);
    buffer.set(INT, 20, LINK_ETHERNET);
    used = FILE_HEADER_BYTES;
  }

  /**
   * Begins a frame; one that was begun and not ended is forgotten.
   *
   * @param epochNs when it was sent or arrived
   * @param to 48 bits of Ethernet address
   * @param from the same
   */
  public void begin(long epochNs, int etherType, long to, long from) {
    frameBytes = ETHERNET_HEADER_BYTES;
    if (ended) {
      return;
    }
    if (BUFFER_BYTES - used < RECORD_HEADER_BYTES + FRAME_BYTES_MAX) {
      flush();
    }
    buffer.set(INT, used, (int) Math.floorDiv(epochNs, NS_PER_S));
    buffer.set(INT, used + 4, (int) Math.floorMod(epochNs, NS_PER_S));
    int at = used + RECORD_HEADER_BYTES;
    address(at, to);
    address(at + 6, from);
    buffer.set(NET_SHORT, at + 12, (short) etherType);
    next = at + ETHERNET_HEADER_BYTES;
  }

  private void address(int at, long address) {
    buffer.set(NET_SHORT, at, (short) (address >>> 32));
    buffer.set(NET_INT, at + 2, (int) address);
  }

  /** The next bytes of the frame. */
  public void add(MemorySegment from, long offset, int length) {
    frameBytes += length;
    if (!ended) {
      int room = used + RECORD_HEADER_BYTES + FRAME_BYTES_MAX - next;
      int kept = Math.min(length, room);
      MemorySegment.copy(from, offset, buffer, next, kept);
      next += kept;
    }
  }

  /** The frame is whole. */
  public void end() {
    if (!ended && written + next > bytesMax) {
      flush();
      stop("it has reached its limit of %d bytes".formatted(bytesMax));
    }
    if (ended) {
      leftOut++;
      return;
    }
    buffer.set(INT, used + 8, next - used - RECORD_HEADER_BYTES);
    buffer.set(INT, used + 12, (int) frameBytes);
    used = next;
    buffered++;
    frames++;
  }

  /** Lets what was captured go to the file. */
  public void flush() {
    if (used == 0 || ended) {
      return;
    }
    try {
      out.write(bytes, 0, used);
    } catch (IOException e) {
      frames -= buffered;
      leftOut += buffered;
      stop("it cannot be written: " + e.getMessage());
    }
    written += used;
    used = 0;
    buffered = 0;
  }

  private void stop(String why) {
    if (!ended) {
      ended = true;
      onEnd.accept("the capture %s has ended: %s".formatted(name, why));
    }
  }

  /** Frames that are in the file, or will be with the next flush. */
  public long frames() {
    return frames;
  }

  /** Frames that came when the capture had ended, or were lost when it did. */
  public long leftOut() {
    return leftOut;
  }

  /** Lets what was captured go to the file, and closes it. */
  @Override
  public void close() {
    flush();
    ended = true;
    try {
      out.close();
    } catch (IOException e) {
      onEnd.accept("the capture %s may not be whole: %s".formatted(name, e.getMessage()));
    }
  }
}
