package io.busbar.linux;

import static io.busbar.linux.SocketLayouts.SOCK_FILTER;
import static io.busbar.linux.SocketLayouts.SOCK_FPROG;
import static io.busbar.linux.SocketNumbers.BPF_ABS;
import static io.busbar.linux.SocketNumbers.BPF_ALU;
import static io.busbar.linux.SocketNumbers.BPF_AND;
import static io.busbar.linux.SocketNumbers.BPF_B;
import static io.busbar.linux.SocketNumbers.BPF_H;
import static io.busbar.linux.SocketNumbers.BPF_JEQ;
import static io.busbar.linux.SocketNumbers.BPF_JGE;
import static io.busbar.linux.SocketNumbers.BPF_JMP;
import static io.busbar.linux.SocketNumbers.BPF_K;
import static io.busbar.linux.SocketNumbers.BPF_LD;
import static io.busbar.linux.SocketNumbers.BPF_LEN;
import static io.busbar.linux.SocketNumbers.BPF_MAXINSNS;
import static io.busbar.linux.SocketNumbers.BPF_RET;
import static io.busbar.linux.SocketNumbers.BPF_W;
import static io.busbar.linux.SocketNumbers.SOL_SOCKET;
import static io.busbar.linux.SocketNumbers.SO_ATTACH_FILTER;
import static io.busbar.linux.SocketNumbers.SO_DETACH_FILTER;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A classic BPF program that decides which datagrams a socket hears, run by the kernel before they
 * are queued. Steps are appended; it ends with {@link #accept} or {@link #reject} on every way. A
 * packet socket's program sees the frame from its Ethernet header, a UDP socket's the datagram from
 * its UDP header; values are in network order. Jumps count the steps that are skipped.
 */
public final class SocketFilter implements FrameProgram {
  private static final long CODE = Offsets.of(SOCK_FILTER, "code");
  private static final long IF_TRUE = Offsets.of(SOCK_FILTER, "jt");
  private static final long IF_FALSE = Offsets.of(SOCK_FILTER, "jf");
  private static final long OPERAND = Offsets.of(SOCK_FILTER, "k");
  private static final long COUNT = Offsets.of(SOCK_FPROG, "len");
  private static final long STEPS = Offsets.of(SOCK_FPROG, "filter");

  private record Step(int code, int ifTrue, int ifFalse, int operand) {}

  private final List<Step> steps = new ArrayList<>();

  /** A program without a step. */
  public SocketFilter() {}

  /** Loads the byte at an offset. */
  @Override
  public SocketFilter loadByte(int offset) {
    return add(BPF_LD | BPF_B | BPF_ABS, 0, 0, offset);
  }

  /** Loads two bytes at an offset. */
  @Override
  public SocketFilter loadShort(int offset) {
    return add(BPF_LD | BPF_H | BPF_ABS, 0, 0, offset);
  }

  /** Loads four bytes at an offset. */
  @Override
  public SocketFilter loadInt(int offset) {
    return add(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset);
  }

  /** Loads the length of the packet. */
  public SocketFilter loadLength() {
    return add(BPF_LD | BPF_W | BPF_LEN, 0, 0, 0);
  }

  /** Keeps only these bits of what was loaded. */
  @Override
  public SocketFilter and(int bits) {
    return add(BPF_ALU | BPF_AND | BPF_K, 0, 0, bits);
  }

  /** Skips steps by whether what was loaded equals a value. */
  @Override
  public SocketFilter jumpEqual(int value, int skipIfTrue, int skipIfFalse) {
    return add(BPF_JMP | BPF_JEQ | BPF_K, skipIfTrue, skipIfFalse, value);
  }

  /** Skips steps by whether what was loaded is at least a value, both unsigned. */
  public SocketFilter jumpAtLeast(int value, int skipIfTrue, int skipIfFalse) {
    return add(BPF_JMP | BPF_JGE | BPF_K, skipIfTrue, skipIfFalse, value);
  }

  /** The socket hears the packet, whole. */
  @Override
  public SocketFilter accept() {
    return add(BPF_RET | BPF_K, 0, 0, -1);
  }

  /** The socket does not hear the packet. */
  @Override
  public SocketFilter reject() {
    return add(BPF_RET | BPF_K, 0, 0, 0);
  }

  private SocketFilter add(int code, int ifTrue, int ifFalse, int operand) {
    if (((ifTrue | ifFalse) & ~0xFF) != 0) {
      throw new IllegalArgumentException("a jump skips at most 255 steps");
    }
    if (steps.size() == BPF_MAXINSNS) {
      throw new IllegalStateException("a filter has at most " + BPF_MAXINSNS + " steps");
    }
    steps.add(new Step(code, ifTrue, ifFalse, operand));
    return this;
  }

  /** Attaches it, in the place of a former one. The kernel checks it and keeps its own copy. */
  public void attach(NativeSocket socket) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment program = arena.allocate(SOCK_FILTER, steps.size());
      for (int i = 0; i < steps.size(); i++) {
        Step step = steps.get(i);
        long at = i * SOCK_FILTER.byteSize();
        program.set(JAVA_SHORT, at + CODE, (short) step.code);
        program.set(JAVA_BYTE, at + IF_TRUE, (byte) step.ifTrue);
        program.set(JAVA_BYTE, at + IF_FALSE, (byte) step.ifFalse);
        program.set(JAVA_INT, at + OPERAND, step.operand);
      }
      MemorySegment head = arena.allocate(SOCK_FPROG);
      head.set(JAVA_SHORT, COUNT, (short) steps.size());
      head.set(ADDRESS, STEPS, program);
      String what = "SO_ATTACH_FILTER with %d steps".formatted(steps.size());
      socket.setStructure(SOL_SOCKET, SO_ATTACH_FILTER, head, what);
    }
  }

  /** Takes a socket's filter away; it hears everything. */
  public static void detach(NativeSocket socket) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ignored = arena.allocate(JAVA_INT);
      socket.setStructure(SOL_SOCKET, SO_DETACH_FILTER, ignored, "SO_DETACH_FILTER");
    }
  }
}
