package io.busbar.linux;

import static io.busbar.linux.SocketNumbers.BPF_AND;
import static io.busbar.linux.SocketNumbers.BPF_B;
import static io.busbar.linux.SocketNumbers.BPF_H;
import static io.busbar.linux.SocketNumbers.BPF_JEQ;
import static io.busbar.linux.SocketNumbers.BPF_JMP;
import static io.busbar.linux.SocketNumbers.BPF_K;
import static io.busbar.linux.SocketNumbers.BPF_LD;
import static io.busbar.linux.SocketNumbers.BPF_W;
import static io.busbar.linux.XdpNumbers.BPF_ADD;
import static io.busbar.linux.XdpNumbers.BPF_ALU64;
import static io.busbar.linux.XdpNumbers.BPF_CALL;
import static io.busbar.linux.XdpNumbers.BPF_DW;
import static io.busbar.linux.XdpNumbers.BPF_EXIT;
import static io.busbar.linux.XdpNumbers.BPF_FUNC_redirect_map;
import static io.busbar.linux.XdpNumbers.BPF_IMM;
import static io.busbar.linux.XdpNumbers.BPF_JA;
import static io.busbar.linux.XdpNumbers.BPF_JGT;
import static io.busbar.linux.XdpNumbers.BPF_JMP32;
import static io.busbar.linux.XdpNumbers.BPF_LDX;
import static io.busbar.linux.XdpNumbers.BPF_MEM;
import static io.busbar.linux.XdpNumbers.BPF_MOV;
import static io.busbar.linux.XdpNumbers.BPF_PSEUDO_MAP_FD;
import static io.busbar.linux.XdpNumbers.BPF_X;
import static io.busbar.linux.XdpNumbers.XDP_PASS;

import java.util.ArrayList;
import java.util.List;

/**
 * A program that the kernel runs for every frame that reaches an interface: what it accepts goes to
 * the AF_XDP socket of the queue that the frame arrived on, everything else takes its usual way; so
 * does what is shorter than the last byte that is looked at, and what finds no socket. Both
 * processors that Busbar runs on load with the lowest byte first.
 */
public final class XdpProgram implements FrameProgram {
  // Registers: the context, then what is kept over the whole program, then what is looked at.
  private static final int RESULT = 0;
  private static final int CONTEXT = 1;
  private static final int FRAME = 6;
  private static final int LOOK = 7;
  private static final int QUEUE = 8;

  // linux/bpf.h, struct xdp_md
  private static final int DATA_AT = 0;
  private static final int DATA_END_AT = 4;
  private static final int QUEUE_AT = 16;

  private enum Kind {
    LOAD,
    AND,
    JUMP,
    ACCEPT,
    REJECT
  }

  /** A step; numbers are a load's offset and width, bits, or a jump's value and skips. */
  private record Step(Kind kind, int first, int second, int third) {
    int instructions() {
      return switch (kind) {
        case LOAD, AND -> 1;
        case JUMP -> 2;
        case ACCEPT -> 6;
        case REJECT -> 2;
      };
    }
  }

  private final List<Step> steps = new ArrayList<>();
  private int lengthMin;

  /** A program without a step. */
  public XdpProgram() {}

  @Override
  public XdpProgram loadByte(int offset) {
    return load(offset, Byte.BYTES);
  }

  @Override
  public XdpProgram loadShort(int offset) {
    return load(offset, Short.BYTES);
  }

  @Override
  public XdpProgram loadInt(int offset) {
    return load(offset, Integer.BYTES);
  }

  private XdpProgram load(int offset, int width) {
    lengthMin = Math.max(lengthMin, offset + width);
    return add(new Step(Kind.LOAD, offset, width, 0));
  }

  @Override
  public XdpProgram and(int bits) {
    return add(new Step(Kind.AND, bits, 0, 0));
  }

  @Override
  public XdpProgram jumpEqual(int value, int skipIfTrue, int skipIfFalse) {
    return add(new Step(Kind.JUMP, value, skipIfTrue, skipIfFalse));
  }

  /** The frame goes to the socket. */
  @Override
  public XdpProgram accept() {
    return add(new Step(Kind.ACCEPT, 0, 0, 0));
  }

  /** The frame takes its usual way. */
  @Override
  public XdpProgram reject() {
    return add(new Step(Kind.REJECT, 0, 0, 0));
  }

  private XdpProgram add(Step step) {
    steps.add(step);
    return this;
  }

  /** The instructions, for a map with the sockets of all queues. */
  long[] code(int sockets) {
    List<Long> code = new ArrayList<>();
    code.add(instruction(BPF_LDX | BPF_MEM | BPF_W, FRAME, CONTEXT, DATA_AT, 0));
    code.add(instruction(BPF_LDX | BPF_MEM | BPF_W, LOOK, CONTEXT, DATA_END_AT, 0));
    code.add(instruction(BPF_LDX | BPF_MEM | BPF_W, QUEUE, CONTEXT, QUEUE_AT, 0));
    code.add(instruction(BPF_ALU64 | BPF_MOV | BPF_X, RESULT, FRAME, 0, 0));
    code.add(instruction(BPF_ALU64 | BPF_ADD | BPF_K, RESULT, 0, 0, lengthMin));
    int short0 = code.size();
    code.add(0L);
    int width = 0;
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      switch (step.kind) {
        case LOAD -> {
          width = step.second;
          code.add(instruction(BPF_LDX | BPF_MEM | size(width), LOOK, FRAME, step.first, 0));
        }
        case AND ->
            code.add(
                instruction(BPF_ALU64 | BPF_AND | BPF_K, LOOK, 0, 0, inMemory(step.first, width)));
        case JUMP -> {
          int ifTrue = 1 + distance(i, step.second);
          int ifFalse = distance(i, step.third);
          int value = inMemory(step.first, width);
          code.add(instruction(BPF_JMP32 | BPF_JEQ | BPF_K, LOOK, 0, ifTrue, value));
          code.add(instruction(BPF_JMP | BPF_JA, 0, 0, ifFalse, 0));
        }
        case ACCEPT -> {
          code.add(instruction(BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0, sockets));
          code.add(0L);
          code.add(instruction(BPF_ALU64 | BPF_MOV | BPF_X, 2, QUEUE, 0, 0));
          code.add(instruction(BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, XDP_PASS));
          code.add(instruction(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_redirect_map));
          code.add(instruction(BPF_JMP | BPF_EXIT, 0, 0, 0, 0));
        }
        case REJECT -> pass(code);
      }
    }
    code.set(
        short0, instruction(BPF_JMP | BPF_JGT | BPF_X, RESULT, LOOK, code.size() - short0 - 1, 0));
    pass(code);
    return code.stream().mapToLong(Long::longValue).toArray();
  }

  private static void pass(List<Long> code) {
    code.add(instruction(BPF_ALU64 | BPF_MOV | BPF_K, RESULT, 0, 0, XDP_PASS));
    code.add(instruction(BPF_JMP | BPF_EXIT, 0, 0, 0, 0));
  }

  /** Instructions of the steps that are skipped. */
  private int distance(int step, int skipped) {
    int sum = 0;
    for (int i = step + 1; i <= step + skipped; i++) {
      sum += steps.get(i).instructions();
    }
    return sum;
  }

  /** A value in network order as a load of this width sees it. */
  private static int inMemory(int value, int width) {
    return switch (width) {
      case Short.BYTES -> Short.toUnsignedInt(Short.reverseBytes((short) value));
      case Integer.BYTES -> Integer.reverseBytes(value);
      default -> value & 0xFF;
    };
  }

  private static int size(int width) {
    return switch (width) {
      case Short.BYTES -> BPF_H;
      case Integer.BYTES -> BPF_W;
      default -> BPF_B;
    };
  }

  private static long instruction(int code, int to, int from, int offset, int immediate) {
    return (code & 0xFFL)
        | (long) to << 8
        | (long) from << 12
        | (offset & 0xFFFFL) << 16
        | (long) immediate << 32;
  }
}
