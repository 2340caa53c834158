package io.busbar.lab.bed;

import java.net.Inet4Address;
import java.net.Inet6Address;

/**
 * The private addresses of a bed. Beds never meet, so nothing depends on it that they differ; it is
 * the reader of a capture or a log who wants to know which bed he looks at. Those of one process
 * differ.
 *
 * @param name the bed
 */
record BedNet(BedName name) {
  /** Addresses of the net, without the net's own and its broadcast. */
  static final int HOSTS_MAX = 254;

  /** 10.x.y.(index + 1), in a net of 24 bits. */
  Inet4Address address4(int index) {
    long net = name.pid() * 251 + name.serial();
    return Inet4Address.ofLiteral(
        "10.%d.%d.%d".formatted((net >> 8) & 0xFF, net & 0xFF, index + 1));
  }

  /** 172.x.y.(index + 1) on another cable of a pair, in a net of 24 bits. */
  Inet4Address other4(int cable, int index) {
    long net = name.pid() * 251 + name.serial();
    return Inet4Address.ofLiteral(
        "172.%d.%d.%d".formatted(16 + 4 * cable + ((net >> 8) & 3), net & 0xFF, index + 1));
  }

  /** fdbb:(pid):(pid):(serial)::(index + 1), in a net of 64 bits. */
  Inet6Address address6(int index) {
    long pid = name.pid();
    return (Inet6Address)
        Inet6Address.ofLiteral(
            "fdbb:%x:%x:%x::%x"
                .formatted((pid >> 16) & 0xFFFF, pid & 0xFFFF, name.serial() & 0xFFFF, index + 1));
  }
}
