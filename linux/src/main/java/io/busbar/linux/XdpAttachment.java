package io.busbar.linux;

import static io.busbar.linux.XdpNumbers.BPF_F_XDP_HAS_FRAGS;
import static io.busbar.linux.XdpNumbers.BPF_LINK_CREATE;
import static io.busbar.linux.XdpNumbers.BPF_MAP_CREATE;
import static io.busbar.linux.XdpNumbers.BPF_MAP_TYPE_XSKMAP;
import static io.busbar.linux.XdpNumbers.BPF_MAP_UPDATE_ELEM;
import static io.busbar.linux.XdpNumbers.BPF_PROG_LOAD;
import static io.busbar.linux.XdpNumbers.BPF_PROG_TYPE_XDP;
import static io.busbar.linux.XdpNumbers.BPF_XDP;
import static io.busbar.linux.XdpNumbers.XDP_FLAGS_DRV_MODE;
import static io.busbar.linux.XdpNumbers.XDP_FLAGS_SKB_MODE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A program at an interface, and the sockets that it gives frames to. The kernel takes it away when
 * this is closed, or its process ends in whatever way.
 */
public final class XdpAttachment implements AutoCloseable {
  // linux/bpf.h, union bpf_attr: what the commands that are used take.
  private static final int ATTRIBUTE_BYTES = 152;
  private static final int MAP_TYPE_AT = 0;
  private static final int MAP_KEY_BYTES_AT = 4;
  private static final int MAP_VALUE_BYTES_AT = 8;
  private static final int MAP_ENTRIES_AT = 12;
  private static final int ELEMENT_MAP_AT = 0;
  private static final int ELEMENT_KEY_AT = 8;
  private static final int ELEMENT_VALUE_AT = 16;
  private static final int PROGRAM_TYPE_AT = 0;
  private static final int PROGRAM_COUNT_AT = 4;
  private static final int PROGRAM_CODE_AT = 8;
  private static final int PROGRAM_LICENSE_AT = 16;
  private static final int PROGRAM_LOG_LEVEL_AT = 24;
  private static final int PROGRAM_LOG_BYTES_AT = 28;
  private static final int PROGRAM_LOG_AT = 32;
  private static final int PROGRAM_FLAGS_AT = 44;
  private static final int LINK_PROGRAM_AT = 0;
  private static final int LINK_TARGET_AT = 4;
  private static final int LINK_TYPE_AT = 8;
  private static final int LINK_FLAGS_AT = 12;
  private static final int LOG_BYTES = 1 << 16;

  private final FileDescriptor sockets;
  private final FileDescriptor link;
  private final boolean inDriver;

  /**
   * Attaches a program.
   *
   * @param queues of the interface
   * @param preferDriver whether it shall run in the interface's driver, if that can do it; behind
   *     it otherwise
   * @throws SystemCallException with {@link Errno#EBUSY} or {@link Errno#EEXIST} when the interface
   *     has a program already
   */
  public XdpAttachment(NetworkDevice device, int queues, XdpProgram program, boolean preferDriver) {
    sockets = map(queues);
    FileDescriptor loaded = null;
    try {
      loaded = load(program);
      FileDescriptor attached;
      boolean driver = preferDriver;
      try {
        attached = attach(loaded, device, driver ? XDP_FLAGS_DRV_MODE : XDP_FLAGS_SKB_MODE);
      } catch (SystemCallException e) {
        boolean unable = e.errno() == Errno.EOPNOTSUPP || e.errno() == Errno.EINVAL;
        if (!driver || !unable) {
          throw e;
        }
        attached = attach(loaded, device, XDP_FLAGS_SKB_MODE);
        driver = false;
      }
      link = attached;
      inDriver = driver;
    } catch (SystemCallException e) {
      sockets.close();
      throw e;
    } finally {
      if (loaded != null) {
        loaded.close();
      }
    }
  }

  private static FileDescriptor map(int queues) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attribute = arena.allocate(ATTRIBUTE_BYTES, 8);
      attribute.set(JAVA_INT, MAP_TYPE_AT, BPF_MAP_TYPE_XSKMAP);
      attribute.set(JAVA_INT, MAP_KEY_BYTES_AT, Integer.BYTES);
      attribute.set(JAVA_INT, MAP_VALUE_BYTES_AT, Integer.BYTES);
      attribute.set(JAVA_INT, MAP_ENTRIES_AT, queues);
      String name = "a map of %d AF_XDP sockets".formatted(queues);
      return FileDescriptor.of(ProcessCalls.bpf(BPF_MAP_CREATE, attribute), name, "bpf");
    }
  }

  private FileDescriptor load(XdpProgram program) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment code = arena.allocateFrom(JAVA_LONG, program.code(sockets.number()));
      MemorySegment attribute = arena.allocate(ATTRIBUTE_BYTES, 8);
      attribute.set(JAVA_INT, PROGRAM_TYPE_AT, BPF_PROG_TYPE_XDP);
      attribute.set(JAVA_INT, PROGRAM_COUNT_AT, (int) (code.byteSize() / Long.BYTES));
      attribute.set(JAVA_LONG, PROGRAM_CODE_AT, code.address());
      attribute.set(JAVA_LONG, PROGRAM_LICENSE_AT, arena.allocateFrom("").address());
      attribute.set(JAVA_INT, PROGRAM_FLAGS_AT, BPF_F_XDP_HAS_FRAGS);
      int result = ProcessCalls.bpf(BPF_PROG_LOAD, attribute);
      if (result == -Errno.EINVAL || result == -Errno.EACCES) {
        MemorySegment log = arena.allocate(LOG_BYTES);
        attribute.set(JAVA_INT, PROGRAM_LOG_LEVEL_AT, 1);
        attribute.set(JAVA_INT, PROGRAM_LOG_BYTES_AT, LOG_BYTES);
        attribute.set(JAVA_LONG, PROGRAM_LOG_AT, log.address());
        result = ProcessCalls.bpf(BPF_PROG_LOAD, attribute);
        String said = log.getString(0).strip();
        String purpose = "load an XDP program (the kernel says: %s)".formatted(said);
        return FileDescriptor.of(result, "an XDP program", purpose, "bpf");
      }
      return FileDescriptor.of(result, "an XDP program", "load an XDP program", "bpf");
    }
  }

  private static FileDescriptor attach(FileDescriptor program, NetworkDevice device, int mode) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attribute = arena.allocate(ATTRIBUTE_BYTES, 8);
      attribute.set(JAVA_INT, LINK_PROGRAM_AT, program.number());
      attribute.set(JAVA_INT, LINK_TARGET_AT, device.index());
      attribute.set(JAVA_INT, LINK_TYPE_AT, BPF_XDP);
      attribute.set(JAVA_INT, LINK_FLAGS_AT, mode);
      int result = ProcessCalls.bpf(BPF_LINK_CREATE, attribute);
      String purpose = "attach an XDP program to " + device.name();
      return FileDescriptor.of(result, "an XDP program at " + device.name(), purpose, "bpf");
    }
  }

  /** Frames that are accepted on this queue go to this socket from now on. */
  public void give(int queue, XdpSocket socket) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attribute = arena.allocate(ATTRIBUTE_BYTES, 8);
      attribute.set(JAVA_INT, ELEMENT_MAP_AT, sockets.number());
      attribute.set(JAVA_LONG, ELEMENT_KEY_AT, arena.allocateFrom(JAVA_INT, queue).address());
      MemorySegment value = arena.allocateFrom(JAVA_INT, socket.descriptor().number());
      attribute.set(JAVA_LONG, ELEMENT_VALUE_AT, value.address());
      int result = ProcessCalls.bpf(BPF_MAP_UPDATE_ELEM, attribute);
      if (result < 0) {
        throw new SystemCallException(
            "give queue %d the socket %s".formatted(queue, socket), "bpf", -result);
      }
    }
  }

  /** Whether the driver runs it, before the kernel makes a packet of the frame. */
  public boolean isInDriver() {
    return inDriver;
  }

  /** Takes the program away. */
  @Override
  public void close() {
    link.close();
    sockets.close();
  }
}
