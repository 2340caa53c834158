package io.busbar.bench.contest;

import io.busbar.bench.contest.FastMessages.Way;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.shm.ShmAddress;
import io.busbar.fabric.shm.ShmConfig;
import io.busbar.fabric.shm.ShmNic;
import io.busbar.fabric.udp.UdpAddress;
import io.busbar.fabric.udp.UdpConfig;
import io.busbar.fabric.udp.UdpNic;
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

  /** Whether it runs over TCP, and so over a cable of its own. */
  static boolean isTcp(String name) {
    return TCP.stream().anyMatch(name::startsWith);
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
      case "tcp-nio" -> new NioTcp(place.host(), place.asks(), false);
      case "tcp-nio-sleep" -> new NioTcp(place.host(), place.asks(), true);
      case "tcp-nio-pair" -> new NioTcpPair(place.host(), place.asks());
      case "udp-nio" -> new NioUdp(place.host(), place.frameBytesMax());
      case "nic-shm" ->
          new OverNic(
              new ShmNic(ShmConfig.defaults().in(place.directory()), NicEvents.NONE),
              ShmAddress::parse);
      case "nic-udp" -> new OverNic(udp(place), UdpAddress::parse);
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
      case "aeron-ipc" -> OverAeron.ipc(place);
      case "aeron-udp" -> OverAeron.udp(place);
      case "netty-epoll" -> new OverNetty(place.host(), place.asks());
      case "jgroups-tcp" -> new OverJgroups(place.host(), place.asks());
      case "mpj-express" -> new OverMpj(place);
      default -> throw new IllegalArgumentException("no contender " + name);
    };
  }

  private static UdpNic udp(Place place) {
    UdpAddress here = UdpAddress.parse(place.host() + ":0");
    return new UdpNic(UdpConfig.builder().bind(here).build(), NicEvents.NONE);
  }

  private static Contender messages(String fabric, Place place, boolean sleeps, Way way) {
    return new FastMessages(fabric, place.host(), place.asks(), place.directory(), sleeps, way);
  }
}
