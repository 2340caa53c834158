package io.busbar.bench.contest;

import java.util.ArrayList;
import java.util.List;

/** What a JVM needs to run a peer; no JVM of Busbar gets any of it. */
public final class PeerOptions {
  private static final List<String> AERON =
      List.of(
          "--add-modules=io.aeron.driver,io.aeron.client,org.agrona",
          "--add-opens=java.base/jdk.internal.misc=org.agrona",
          "--add-opens=java.base/sun.nio.ch=org.agrona",
          "-Dagrona.disable.bounds.checks=true");

  /** Its native part is a module of its own, with another name for each kind of machine. */
  private static final List<String> NETTY =
      List.of(
          "--add-modules=ALL-MODULE-PATH",
          "--enable-native-access=io.netty.common,io.netty.transport.classes.epoll,ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-Dio.netty.buffer.checkBounds=false",
          "-Dio.netty.buffer.checkAccessible=false",
          "-Dio.netty.leakDetection.level=disabled");

  private static final List<String> JGROUPS =
      List.of(
          "--add-modules=org.jgroups,java.logging",
          "-Djava.net.preferIPv4Stack=true",
          "-Djgroups.use.jdk_logger=true");

  private PeerOptions() {}

  /** The others, and those of the peer with this name, if it is one. */
  public static List<String> with(List<String> others, String contender) {
    List<String> all = new ArrayList<>(others);
    if (contender.startsWith("aeron-")) {
      all.addAll(AERON);
    } else if (contender.startsWith("netty-")) {
      all.addAll(NETTY);
    } else if (contender.startsWith("jgroups-")) {
      all.addAll(JGROUPS);
    }
    return all;
  }
}
