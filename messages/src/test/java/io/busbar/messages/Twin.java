package io.busbar.messages;

import io.busbar.bus.BusConfig;
import io.busbar.bus.BusSink;
import io.busbar.bus.Member;
import io.busbar.bus.MemberEvents;
import io.busbar.bus.Membership;
import io.busbar.wire.ClusterName;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.MemberCard;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.util.List;
import java.util.Map;

/**
 * A node of an earlier life that has somebody's id, as if a cut had just healed: the bus's part of
 * one, on plain sockets, which speaks to all and answers whoever asks.
 */
final class Twin implements BusSink, AutoCloseable {
  private static final int LOOK_MS = 10;

  private final InetSocketAddress all;
  private final MulticastSocket socket;
  private final Membership bus;
  private final long startNs = System.nanoTime();
  private final Thread thread = Thread.ofPlatform().daemon().unstarted(this::run);
  private volatile boolean ended;

  Twin(String cluster, int port, int id, long life) throws IOException {
    all = new InetSocketAddress(InetAddress.ofLiteral("239.255.70.9"), port);
    NetworkInterface loopback =
        NetworkInterface.getByInetAddress(InetAddress.ofLiteral("127.0.0.1"));
    socket = new MulticastSocket(port);
    socket.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
    socket.joinGroup(all, loopback);
    socket.setSoTimeout(LOOK_MS);
    MemberCard card = new MemberCard("twin", "here", List.of("udp:127.0.0.1:" + port), Map.of());
    bus =
        new Membership(
            new BusConfig(
                ClusterName.hash(cluster),
                id,
                life,
                taken -> card,
                1,
                1472,
                16,
                BusConfig.Times.DEFAULT),
            this,
            MemberEvents.NONE);
    thread.start();
  }

  private long nowNs() {
    return System.nanoTime() - startNs;
  }

  private void run() {
    bus.start(nowNs());
    DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
    MemorySegment bytes = MemorySegment.ofArray(packet.getData());
    while (!ended) {
      try {
        packet.setLength(2048);
        socket.receive(packet);
        SocketAddress from = packet.getSocketAddress();
        boolean _ =
            bus.onFrame(nowNs(), bytes, 0, packet.getLength(), answer -> send(answer, from));
      } catch (SocketTimeoutException e) {
        // Nobody speaks now.
      } catch (IOException e) {
        return; // it was closed
      }
      if (bus.dueNs() <= nowNs()) {
        long _ = bus.poll(nowNs());
      }
    }
  }

  private void send(FrameBuilder frame, SocketAddress to) {
    MemorySegment copy = MemorySegment.ofArray(new byte[frame.frameBytes()]);
    frame.copyTo(copy, 0);
    byte[] bytes = copy.toArray(ValueLayout.JAVA_BYTE);
    try {
      socket.send(new DatagramPacket(bytes, bytes.length, to));
    } catch (IOException e) {
      // It was closed: as if it were lost.
    }
  }

  @Override
  public void toAll(FrameBuilder frame) {
    send(frame, all);
  }

  /** Everybody hears it, and who is not meant does not care. */
  @Override
  public void to(Member member, FrameBuilder frame) {
    send(frame, all);
  }

  @Override
  public void close() {
    ended = true;
    socket.close();
  }
}
