package io.busbar.linux;

import static io.busbar.linux.DeviceLayouts.ETHTOOL_CHANNELS;
import static io.busbar.linux.DeviceLayouts.ETHTOOL_DRVINFO;
import static io.busbar.linux.DeviceLayouts.IFINFOMSG;
import static io.busbar.linux.DeviceLayouts.NLATTR;
import static io.busbar.linux.DeviceLayouts.NLMSGHDR;
import static io.busbar.linux.SocketLayouts.IFREQ;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What is behind a network interface, as it was when it was looked at.
 *
 * @param name the driver: {@code veth}, {@code virtio_net}; empty when it does not say
 * @param receiveQueues how many it has; 1 when it does not say
 * @param transmitQueues the same for what leaves
 * @param program the number of the XDP program that is attached; 0 for none
 * @param programInDriver whether it runs in the driver, and not only behind it
 */
public record DeviceDriver(
    String name, int receiveQueues, int transmitQueues, int program, boolean programInDriver) {
  private static final long DATA = Offsets.of(IFREQ, "ifr_ifru");
  private static final long NAME = Offsets.of(ETHTOOL_DRVINFO, "driver");
  private static final int ANSWER_BYTES = 1 << 16;
  private static final int ALIGNMENT = 4;

  /** The bits above say how the value is written. */
  private static final int TYPE_BITS = 0x3FFF;

  private static final String VETH = "veth";

  /** Looks at an interface of this network namespace; needs no privilege. */
  public static DeviceDriver of(NetworkDevice device) {
    try (NativeSocket socket = NativeSocket.udp4();
        Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(ETHTOOL_DRVINFO);
      boolean said = ask(socket, device, DeviceNumbers.ETHTOOL_GDRVINFO, info, arena);
      String name = said ? info.getString(NAME) : "";
      MemorySegment channels = arena.allocate(ETHTOOL_CHANNELS);
      boolean counted = ask(socket, device, DeviceNumbers.ETHTOOL_GCHANNELS, channels, arena);
      int both = counted ? count(channels, "combined_count") : 0;
      int receive = counted ? both + count(channels, "rx_count") : 1;
      int transmit = counted ? both + count(channels, "tx_count") : 1;
      MemorySegment xdp = attribute(link(device, arena), DeviceNumbers.IFLA_XDP);
      int attached = byteOf(attribute(xdp, DeviceNumbers.IFLA_XDP_ATTACHED));
      MemorySegment id = attribute(xdp, DeviceNumbers.IFLA_XDP_PROG_ID);
      int program = id.byteSize() < Integer.BYTES ? 0 : id.get(JAVA_INT, 0);
      boolean inDriver =
          attached != DeviceNumbers.XDP_ATTACHED_NONE && attached != DeviceNumbers.XDP_ATTACHED_SKB;
      return new DeviceDriver(name, Math.max(1, receive), Math.max(1, transmit), program, inDriver);
    }
  }

  private static int count(MemorySegment channels, String field) {
    return channels.get(JAVA_INT, Offsets.of(ETHTOOL_CHANNELS, field));
  }

  private static int byteOf(MemorySegment value) {
    return value.byteSize() < 1 ? 0 : value.get(JAVA_BYTE, 0);
  }

  /** Whether the driver knows the question. */
  private static boolean ask(
      NativeSocket socket, NetworkDevice device, int command, MemorySegment answer, Arena arena) {
    answer.set(JAVA_INT, 0, command);
    MemorySegment request = NetworkDevice.request(device.name(), arena);
    request.set(JAVA_LONG, DATA, answer.address());
    int fd = socket.descriptor().number();
    int result = SocketCalls.ioctl(fd, DeviceNumbers.SIOCETHTOOL, request);
    if (result == -Errno.ENODEV) {
      throw new SystemCallException("look behind interface " + device.name(), "ioctl", -result);
    }
    return result >= 0;
  }

  /** The attributes of an interface, as rtnetlink tells them. */
  private static MemorySegment link(NetworkDevice device, Arena arena) {
    int headBytes = (int) NLMSGHDR.byteSize();
    int bytes = headBytes + (int) IFINFOMSG.byteSize();
    MemorySegment question = arena.allocate(bytes, ALIGNMENT);
    question.set(JAVA_INT, Offsets.of(NLMSGHDR, "nlmsg_len"), bytes);
    short type = (short) DeviceNumbers.RTM_GETLINK;
    question.set(JAVA_SHORT, Offsets.of(NLMSGHDR, "nlmsg_type"), type);
    short flags = (short) DeviceNumbers.NLM_F_REQUEST;
    question.set(JAVA_SHORT, Offsets.of(NLMSGHDR, "nlmsg_flags"), flags);
    question.set(JAVA_INT, headBytes + Offsets.of(IFINFOMSG, "ifi_index"), device.index());
    MemorySegment answer = arena.allocate(ANSWER_BYTES, ALIGNMENT);
    int length;
    try (NativeSocket socket = NativeSocket.route()) { // the kernel answers before the call returns
      int sent = socket.send(question, 0, bytes);
      length = sent < 0 ? sent : socket.receive(answer, 0, ANSWER_BYTES);
    }
    if (length < 0) {
      String purpose = "ask for the attributes of interface " + device.name();
      throw new SystemCallException(purpose, "recv", -length);
    }
    boolean told =
        length >= bytes
            && answer.get(JAVA_SHORT, Offsets.of(NLMSGHDR, "nlmsg_type"))
                == DeviceNumbers.RTM_NEWLINK;
    return told ? answer.asSlice(bytes, length - bytes) : MemorySegment.NULL;
  }

  /** The value of the first attribute of a type; empty when there is none. */
  static MemorySegment attribute(MemorySegment attributes, int type) {
    long head = NLATTR.byteSize();
    long at = 0;
    while (at + head <= attributes.byteSize()) {
      int length = attributes.get(JAVA_SHORT, at + Offsets.of(NLATTR, "nla_len")) & 0xFFFF;
      int found = attributes.get(JAVA_SHORT, at + Offsets.of(NLATTR, "nla_type"));
      if (length < head || at + length > attributes.byteSize()) {
        break;
      }
      if ((found & TYPE_BITS) == type) {
        return attributes.asSlice(at + head, length - head);
      }
      at += Math.ceilDiv((long) length, ALIGNMENT) * ALIGNMENT;
    }
    return MemorySegment.NULL;
  }

  /** Whether both ends of the cable are in this kernel. */
  public boolean isVeth() {
    return name.equals(VETH);
  }
}
