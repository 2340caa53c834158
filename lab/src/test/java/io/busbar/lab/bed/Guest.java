package io.busbar.lab.bed;

import io.busbar.linux.NetworkDevice;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** What the tests run in other JVMs. */
final class Guest {
  private Guest() {}

  public static void main(String[] arguments) throws Exception {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    switch (arguments[0]) {
      case "look" -> {
        System.out.println("kernel " + Files.readString(Path.of("/proc/sys/kernel/hostname")));
        System.out.println("local " + InetAddress.getLocalHost());
        for (InetAddress other : InetAddress.getAllByName("h1")) {
          System.out.println("other " + other.getHostAddress());
        }
        System.out.println("module " + Guest.class.getModule());
        System.out.println("device " + NetworkDevice.of(arguments[1]).name());
        System.out.println("sysfs " + Files.exists(Path.of("/sys/class/net", arguments[1])));
      }
      case "echo" -> {
        try (DatagramSocket socket = new DatagramSocket()) {
          System.out.println("port " + socket.getLocalPort());
          DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
          for (int i = Integer.parseInt(input.readLine()); i > 0; i--) {
            socket.receive(packet);
            socket.send(packet);
          }
        }
        System.out.println("done");
      }
      case "owner" -> own(input);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  /** Opens a bed and never closes it; says what there is, and does what it is told. */
  private static void own(BufferedReader input) throws Exception {
    TestBed bed = TestBed.create(2);
    HostProcess child = bed.host(0).start(List.of("sleep", "1000"));
    HostProcess shell = bed.host(0).start(List.of("sh", "-c", "sleep 1000 & echo $!; wait"));
    String grandchild = shell.awaitLine(line -> true, LeftoversTest.LIMIT);
    System.out.println(
        "bed "
            + bed.hosts().stream().map(TestHost::name).collect(Collectors.joining(" "))
            + " "
            + bed.host(0).name().replaceAll("h0$", "switch"));
    System.out.println("processes " + child.pid() + " " + grandchild);
    while (true) {
      switch (input.readLine()) {
        case "talk" -> {
          try (Mail from = Mail.of(bed.host(0));
              Mail to = Mail.of(bed.host(1))) {
            System.out.println("heard " + from.reaches(to, bed.host(1).address4()));
          }
        }
        case "halt" -> Runtime.getRuntime().halt(3);
        case "exit" -> System.exit(4);
        case null, default -> throw new IllegalStateException("nothing to do");
      }
    }
  }
}
