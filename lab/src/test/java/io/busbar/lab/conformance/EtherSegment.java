package io.busbar.lab.conformance;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.ether.EtherAddress;
import io.busbar.fabric.ether.EtherConfig;
import io.busbar.fabric.ether.EtherNic;
import io.busbar.lab.bed.TestBed;
import io.busbar.lab.bed.TestHost;
import io.busbar.linux.HardwareAddress;
import io.busbar.linux.NativeAddress;
import io.busbar.linux.NativeSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Hosts on one Ethernet, with nodes on them that send each other words. */
final class EtherSegment implements AutoCloseable {
  private static final long MOMENT_NS = 50_000;
  private static final int LOOKS = 4000;

  final TestBed bed;
  private final List<Node> nodes = new ArrayList<>();

  /** Of each host that puts bytes on the segment; to close one takes the kernel long. */
  private final Map<TestHost, NativeSocket> mouths = new HashMap<>();

  EtherSegment(int hosts) {
    bed = TestBed.create(hosts);
  }

  /** A node on a host, and all that it hears: {@code WHO:WORD}. */
  static final class Node implements NicEvents {
    final TestHost host;
    final EtherNic ether;
    final Nic nic;
    final List<String> heard = new ArrayList<>();
    final List<String> warned = new ArrayList<>();
    final List<Integer> lengths = new ArrayList<>();
    private final FrameReceiver receiver = this::onFrame;

    private Node(TestHost host, EtherConfig config) {
      this.host = host;
      ether = UdpRig.in(host, () -> new EtherNic(config, this));
      nic = new EnvelopeNic(ether, EtherAddress::nodeOf);
    }

    private void onFrame(int peer, MemorySegment memory, long offset, int length, long frame) {
      byte[] bytes = memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
      String who = peer == Nic.STRANGER ? "stranger" : nic.address(peer).text().split("/", -1)[1];
      heard.add(who + ":" + new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public void onWarning(String what) {
      warned.add(what);
    }

    @Override
    public void onFrameBytesMax(int peer, int bytes) {
      lengths.add(bytes);
    }

    /** Opens a way to another node. */
    int open(Node other) {
      return nic.open(other.ether.address());
    }

    /** Sends a word to a peer. */
    long say(int peer, String word) {
      MemorySegment bytes = MemorySegment.ofArray(word.getBytes(StandardCharsets.UTF_8));
      long result = nic.transmit(peer, bytes, 0, (int) bytes.byteSize());
      int _ = nic.flush();
      return result;
    }

    /** Takes what is there. */
    void listen() {
      while (nic.poll(receiver, 64) > 0) {}
    }

    /** Whether it hears something in time. */
    boolean hears(String what) {
      for (int i = 0; i < LOOKS && !heard.contains(what); i++) {
        listen();
        LockSupport.parkNanos(MOMENT_NS);
      }
      return heard.contains(what);
    }

    /** Looks so often that what changes rarely is noticed. */
    void lookLong() {
      for (int i = 0; i < 1 << 15; i++) {
        listen();
      }
    }

    long count(NicCount count) {
      return nic.counters().get(count);
    }
  }

  Node packet(int host, int node) {
    return add(host, config("packet", host, node));
  }

  Node xdp(int host, int node) {
    return add(host, config("xdp", host, node));
  }

  /** How a node on a host would be opened. */
  EtherConfig config(String fabric, int host, int node) {
    String device = bed.host(host).deviceName();
    return fabric.equals("xdp") ? EtherConfig.xdp(device, node) : EtherConfig.packet(device, node);
  }

  Node add(int host, EtherConfig config) {
    Node node = new Node(bed.host(host), config);
    nodes.add(node);
    return node;
  }

  void close(Node node) {
    nodes.remove(node);
    node.nic.close();
  }

  /** Puts any bytes on the segment, from a host; they begin with an Ethernet header. */
  void inject(int host, byte[] frame) {
    TestHost from = bed.host(host);
    int _ =
        UdpRig.in(
            from,
            () -> {
              NativeSocket socket = mouths.computeIfAbsent(from, _ -> NativeSocket.packet());
              try (Arena arena = Arena.ofConfined()) {
                MemorySegment memory = arena.allocate(frame.length);
                memory.copyFrom(MemorySegment.ofArray(frame));
                NativeAddress place = new NativeAddress().packet(from.device().index(), 0x88B5, 0);
                return socket.sendTo(memory, 0, frame.length, place);
              }
            });
  }

  /** A frame with Busbar's header, and a tag of a virtual network when it has one. */
  static byte[] frame(long to, long from, int toNode, int fromNode, int tag, String word) {
    byte[] text = word.getBytes(StandardCharsets.UTF_8);
    int head = tag < 0 ? 14 : 18;
    byte[] bytes = new byte[head + 32 + text.length];
    MemorySegment memory = MemorySegment.ofArray(bytes);
    HardwareAddress.write(to, memory, 0);
    HardwareAddress.write(from, memory, 6);
    if (tag >= 0) {
      bytes[12] = (byte) 0x81;
      bytes[14] = (byte) (tag >>> 8);
      bytes[15] = (byte) tag;
    }
    bytes[head - 2] = (byte) 0x88;
    bytes[head - 1] = (byte) 0xB5;
    bytes[head] = 0x10;
    bytes[head + 2] = (byte) text.length;
    bytes[head + 4] = (byte) toNode;
    bytes[head + 5] = (byte) (toNode >>> 8);
    bytes[head + 6] = (byte) fromNode;
    System.arraycopy(text, 0, bytes, head + 32, text.length);
    return bytes;
  }

  static long hardware(Node node) {
    return ((EtherAddress) node.nic.address()).hardware();
  }

  @Override
  public void close() {
    nodes.forEach(node -> node.nic.close());
    mouths.values().forEach(NativeSocket::close);
    bed.close();
  }
}
