package io.busbar.fabric.survey;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.udp.UdpAddress;
import io.busbar.fabric.udp.UdpConfig;
import io.busbar.fabric.udp.UdpNic;
import io.busbar.fabric.udp.UdpReport;
import io.busbar.linux.SystemCallException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Tries UDP: a frame over the loopback, IPv4 and IPv6, and what the sockets were given. */
final class UdpTrial {
  private static final UdpAddress LOOPBACK4 = UdpAddress.parse("udp:127.0.0.1:0");
  private static final UdpAddress LOOPBACK6 = UdpAddress.parse("udp:[::1]:0");

  /** Not the one that nodes use: nobody is to hear this. */
  private static final UdpAddress GROUP = UdpAddress.parse("udp:239.255.70.11:7011");

  private UdpTrial() {}

  static CarrierTrial run(int deviceFrameBytesMax) {
    List<CarrierTrial.Fact> facts = new ArrayList<>();
    String why4 = cross(LOOPBACK4, facts);
    String why6 = cross(LOOPBACK6, new ArrayList<>());
    boolean usable = why4.isEmpty() || why6.isEmpty();
    facts.add(new CarrierTrial.Fact("IPv4", why4.isEmpty() ? "yes" : "no: " + why4));
    facts.add(new CarrierTrial.Fact("IPv6", why6.isEmpty() ? "yes" : "no: " + why6));
    String whyAll = crossToAll();
    facts.add(
        new CarrierTrial.Fact("multicast to everyone", whyAll.isEmpty() ? "yes" : "no: " + whyAll));
    return new CarrierTrial(
        "udp",
        usable,
        usable ? "to every host that the routes lead to; needs no privilege" : why4,
        usable ? deviceFrameBytesMax : 0,
        facts);
  }

  /** Sends a frame to a second interface; empty when it arrived, else why not. */
  private static String cross(UdpAddress loopback, List<CarrierTrial.Fact> facts) {
    UdpConfig config = UdpConfig.builder().bind(loopback).build();
    try (UdpNic one = new UdpNic(config, NicEvents.NONE);
        UdpNic other = new UdpNic(config, NicEvents.NONE);
        Arena arena = Arena.ofConfined()) {
      int peer = one.open(other.address());
      MemorySegment memory = arena.allocate(64);
      if (!Crossing.of(one, other, peer, memory, 64)) {
        return "a frame over the loopback did not arrive: is lo up, does a firewall drop it?";
      }
      UdpReport report = one.report();
      facts.add(new CarrierTrial.Fact("segmentation offload (UDP_SEGMENT)", yesOrNo(report.gso())));
      facts.add(new CarrierTrial.Fact("receive offload (UDP_GRO)", yesOrNo(report.gro())));
      facts.add(buffer("receive buffer", report.receiveBytes(), report.receiveBytesWanted()));
      facts.add(buffer("send buffer", report.sendBytes(), report.sendBytesWanted()));
      return "";
    } catch (FabricException | SystemCallException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Sends a frame to a group on the loopback; empty when it arrived, else why not. */
  private static String crossToAll() {
    UdpConfig config = UdpConfig.builder().bind(LOOPBACK4).everyone(GROUP).build();
    try (UdpNic one = new UdpNic(config, NicEvents.NONE);
        UdpNic other = new UdpNic(config, NicEvents.NONE);
        Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(64);
      return Crossing.of(one, other, Nic.EVERYONE, memory, 64)
          ? ""
          : "a frame to a group did not arrive: nodes need seeds to find each other";
    } catch (FabricException | SystemCallException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static String yesOrNo(boolean yes) {
    return yes ? "yes" : "no";
  }

  private static CarrierTrial.Fact buffer(String name, int got, int wanted) {
    return new CarrierTrial.Fact(
        name, "%s of %s wanted".formatted(Limits.text(got), Limits.text(wanted)));
  }
}
