package io.busbar.lab.conformance;

import io.busbar.fabric.NicEvents;
import io.busbar.fabric.ether.EtherConfig;
import io.busbar.fabric.ether.EtherNic;

/** A process that attaches a program to the interface that it is told, and waits to be killed. */
final class XdpHolder {
  private XdpHolder() {}

  public static void main(String[] arguments) throws InterruptedException {
    try (EtherNic nic = new EtherNic(EtherConfig.xdp(arguments[0], 9), NicEvents.NONE)) {
      System.out.println("attached");
      Thread.sleep(60_000);
      System.out.println(nic.address());
    }
  }
}
