package io.busbar.fabric.udp;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.ProcFile;
import io.busbar.fabric.socket.Notices;
import io.busbar.linux.NativeSocket;
import io.busbar.linux.SocketBuffers;
import io.busbar.linux.SocketOption;
import io.busbar.linux.SystemCallException;
import java.io.IOException;
import java.nio.file.Path;

/** The interface's own socket, and what the system gave it. */
final class OwnSocket implements AutoCloseable {
  private static final String RECEIVE_LIMIT = "net.core.rmem_max";
  private static final String SEND_LIMIT = "net.core.wmem_max";

  final NativeSocket socket;
  final UdpAddress address;
  final int receiveBytes;
  final int sendBytes;
  final boolean gro;

  /** Whether runs leave as one datagram; given up when the kernel refuses one. */
  boolean gso;

  private final UdpConfig config;

  private OwnSocket(NativeSocket socket, UdpConfig config, Home home, Notices notices) {
    this.socket = socket;
    this.config = config;
    boolean ipv4 = home.address().isIpv4();
    if (!ipv4) {
      socket.set(SocketOption.IPV6_V6ONLY, 1);
    }
    neverFragment(socket, ipv4);
    this.receiveBytes = SocketBuffers.receive(socket, config.receiveBufferBytes());
    this.sendBytes = SocketBuffers.send(socket, config.sendBufferBytes());
    tellOfSmallBuffers(notices);
    socket.set(SocketOption.SO_RXQ_OVFL, 1);
    this.gso = offer(SocketOption.UDP_SEGMENT, 0, config.gso(), notices);
    this.gro = glue(socket, config, notices);
    socket.bind(home.address().toNative());
    this.address = home.address().withPort(socket.localAddress().port());
  }

  /** Opens, sizes and binds it. */
  static OwnSocket open(UdpConfig config, Home home, Notices notices) {
    boolean ipv4 = home.address().isIpv4();
    NativeSocket socket = ipv4 ? NativeSocket.udp4() : NativeSocket.udp6();
    try {
      return new OwnSocket(socket, config, home, notices);
    } catch (SystemCallException e) {
      socket.close();
      throw new FabricException(
          "cannot open UDP on %s: %s".formatted(home.address(), e.getMessage()), e);
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** Whatever is longer than the path's MTU is refused. */
  static void neverFragment(NativeSocket socket, boolean ipv4) {
    socket.set(
        ipv4 ? SocketOption.IP_MTU_DISCOVER : SocketOption.IPV6_MTU_DISCOVER,
        SocketOption.PMTUDISC_DO);
  }

  /** Lets datagrams arrive glued together, where chunks can hold them. */
  static boolean glue(NativeSocket socket, UdpConfig config, Notices notices) {
    if (config.chunkBytes() < UdpConfig.CHUNK_BYTES_MAX) {
      return false;
    }
    return offer(socket, SocketOption.UDP_GRO, 1, config.gro(), notices);
  }

  private boolean offer(SocketOption option, int value, Offload wanted, Notices notices) {
    return offer(socket, option, value, wanted, notices);
  }

  private static boolean offer(
      NativeSocket socket, SocketOption option, int value, Offload wanted, Notices notices) {
    if (wanted == Offload.OFF) {
      return false;
    }
    try {
      socket.set(option, value);
      return true;
    } catch (SystemCallException e) {
      if (wanted == Offload.ON) {
        throw new FabricException("%s is ON: %s".formatted(option, e.getMessage()), e);
      }
      notices.warnOnce(option.name(), "frames go one by one: " + e.getMessage());
      return false;
    }
  }

  private void tellOfSmallBuffers(Notices notices) {
    tellOfSmallBuffer(notices, "receive", receiveBytes, config.receiveBufferBytes(), RECEIVE_LIMIT);
    tellOfSmallBuffer(notices, "send", sendBytes, config.sendBufferBytes(), SEND_LIMIT);
  }

  private static void tellOfSmallBuffer(
      Notices notices, String which, int got, int wanted, String limit) {
    if (got < wanted / 2) {
      notices.warnOnce(
          limit,
          "the %s buffer has %d of the %d bytes wanted: raise the limit (sysctl -w %s=%d), or run"
                  .formatted(which, got, wanted, limit, wanted)
              + " with CAP_NET_ADMIN");
    }
  }

  UdpReport report(String device, int mtuBytes, int shortcuts) {
    return new UdpReport(
        address,
        device,
        mtuBytes,
        config.receiveBufferBytes(),
        receiveBytes,
        limit(RECEIVE_LIMIT),
        config.sendBufferBytes(),
        sendBytes,
        limit(SEND_LIMIT),
        gso,
        gro,
        shortcuts);
  }

  private static int limit(String name) {
    try {
      return Integer.parseInt(ProcFile.read(Path.of("/proc/sys", name.split("\\.", -1))));
    } catch (IOException | NumberFormatException e) {
      return 0; // a container may hide it
    }
  }

  @Override
  public void close() {
    socket.close();
  }
}
