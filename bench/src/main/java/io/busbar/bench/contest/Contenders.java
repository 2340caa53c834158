package io.busbar.bench.contest;

import io.busbar.bench.contest.FastMessages.Way;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.ether.EtherAddress;
import io.busbar.fabric.ether.EtherConfig;
import io.busbar.fabric.ether.EtherNic;
import io.busbar.fabric.shm.ShmAddress;
import io.busbar.fabric.shm.ShmConfig;
import io.busbar.fabric.shm.ShmNic;
import io.busbar.fabric.udp.UdpAddress;
import io.busbar.fabric.udp.UdpConfig;
import io.busbar.fabric.udp.UdpNic;
import io.busbar.lab.bed.Packages;
import io.busbar.lab.conformance.EnvelopeNic;
import io.busbar.transport.Service;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every contender by its name. */
final class Contenders {
  /** Spinning threads leave no core for a concurrent collector. */
  private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-Xmx512m");

  /** How the names of those begin that others made. */
  private static final List<String> PEERS = List.of("aeron-", "netty-", "jgroups-", "mpi-", "mpj-");

  private static final List<String> TCP = List.of("tcp-", "netty-", "jgroups-tcp", "mpi-", "mpj-");

  private Contenders() {}

  /** Whether it is a peer that a machine may lack; its absence is told and ends nothing. */
  static boolean isOptional(String name) {
    return PEERS.stream().anyMatch(name::startsWith);
  }

  /**
   * Which cable it uses: what runs over TCP has one of its own, because a program at the interface
   * slows it down; an interface has one such program, so the bare one is at another; and TCP that
   * sends each frame by itself has an interface that is told so.
   */
  static int cable(String name) {
    return switch (name) {
      case "tcp-nio-frames" -> Scene.UNSEGMENTED;
      case "bare-xdp" -> Scene.BARE_XDP;
      case String rank when rank.startsWith("rank-") -> Scene.BARE_XDP; // beside messages
      default -> TCP.stream().anyMatch(name::startsWith) ? Scene.TCP : 0;
    };
  }

  /** Installs what the machine may lack of it. */
  static void require(String name, Packages packages) {
    if (name.startsWith("mpj-")) {
      OverMpj.require(packages);
    }
  }

  /** The MPI in C that is called so; null for what each end runs in a JVM. */
  static @Nullable MpiJob mpi(String name) {
    return switch (name) {
      case "mpi-open" -> MpiJob.OPEN;
      case "mpi-mpich" -> MpiJob.MPICH;
      default -> null;
    };
  }

  /** What the JVM of an end is given, besides what every JVM of this program is. */
  static List<String> options(String name) {
    return PeerOptions.with(OPTIONS, name);
  }

  /** Opens one end. */
  static Contender open(String name, Place place) throws IOException {
    return switch (name) {
      case "nothing" -> new Nothing();
      case "memcpy" -> new Memcpy();
      case "bare-ring" -> new BareRing(place.directory(), place.asks());
      case "bare-udp" -> new BareUdp(place.ip(), place.frameBytesMax());
      case "bare-packet" -> new BarePacket(place.device());
      case "bare-xdp" -> new BareXdp(place.device());
      case "tcp-nio", "tcp-nio-frames" -> new NioTcp(place.host(), place.asks(), false);
      case "tcp-nio-sleep" -> new NioTcp(place.host(), place.asks(), true);
      case "tcp-nio-pair" -> new NioTcpPair(place.host(), place.asks());
      case "udp-nio" -> new NioUdp(place.host(), place.frameBytesMax());
      case "nic-shm" ->
          new OverNic(
              new ShmNic(ShmConfig.defaults().in(place.directory()), NicEvents.NONE),
              ShmAddress::parse);
      case "nic-udp" -> new OverNic(udp(place), UdpAddress::parse);
      case "nic-packet" -> ethernet(EtherConfig.packet(place.device(), place.asks() ? 1 : 2));
      case "nic-xdp" -> ethernet(EtherConfig.xdp(place.device(), place.asks() ? 1 : 2));
      case "datagrams-udp" -> new OverTransport(place, Service.DATAGRAM);
      case "stream-udp" -> new OverTransport(place, Service.STREAM);
      case "lane-shm" -> new OverLane("shm", place);
      case "lane-udp" -> new OverLane("udp", place);
      case String face when face.startsWith("face-") -> new OverFace(face, place);
      case "passed" -> new PassedBuffers(place.directory(), false);
      case "passed-read" -> new PassedBuffers(place.directory(), true);
      case "messages-shm" -> messages("shm", place, false, Way.WHOLE);
      case "messages-shm-pieces" -> messages("shm", place, false, Way.IN_PIECES);
      case "messages-shm-give" -> messages("shm", place, false, Way.GIVEN);
      case "messages-shm-sleep" -> messages("shm", place, true, Way.WHOLE);
      case "messages-udp" -> messages("udp", place, false, Way.WHOLE);
      case "messages-udp-give" -> messages("udp", place, false, Way.GIVEN);
      case "messages-udp-sleep" -> messages("udp", place, true, Way.WHOLE);
      case "messages-packet" -> messages("packet", place, false, Way.WHOLE);
      case "messages-xdp" -> messages("xdp", place, false, Way.WHOLE);
      case String rank when rank.startsWith("rank-") ->
          new OverMpi(rank.substring("rank-".length()), place);
      case "aeron-ipc" -> OverAeron.ipc(place);
      case "aeron-udp" -> OverAeron.udp(place);
      case "netty-epoll" -> new OverNetty(place.host(), place.asks());
      case "jgroups-tcp" -> new OverJgroups(place.host(), place.asks());
      case "mpj-express" -> new OverMpj(place);
      default -> throw new IllegalArgumentException("no contender " + name);
    };
  }

  private static OverNic ethernet(EtherConfig config) {
    return new OverNic(
        new EnvelopeNic(new EtherNic(config, NicEvents.NONE), EtherAddress::nodeOf),
        EtherAddress::parse);
  }

  private static UdpNic udp(Place place) {
    UdpAddress here = UdpAddress.parse(place.host() + ":0");
    return new UdpNic(UdpConfig.builder().bind(here).build(), NicEvents.NONE);
  }

  private static Contender messages(String fabric, Place place, boolean sleeps, Way way) {
    return new FastMessages(fabric, place.host(), place.asks(), place.directory(), sleeps, way);
  }
}
