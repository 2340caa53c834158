package io.busbar.bench.fabric;

import com.sun.management.ThreadMXBean;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.shm.ShmAddress;
import io.busbar.fabric.shm.ShmConfig;
import io.busbar.fabric.shm.ShmNic;
import io.busbar.fabric.udp.UdpAddress;
import io.busbar.fabric.udp.UdpConfig;
import io.busbar.fabric.udp.UdpNic;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One of the two processes: holds an end of each contender, and does what it is told on standard
 * input, one line a command. It answers with one line.
 */
public final class Station {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final boolean asks;
  private final String host;
  private final int frameBytesMax;
  private final String directory;
  private final Map<String, Contender> contenders = new LinkedHashMap<>();
  private long[] roundTripsNs = {};

  private Station(boolean asks, String host, int frameBytesMax, String directory) {
    this.asks = asks;
    this.host = host;
    this.frameBytesMax = frameBytesMax;
    this.directory = directory;
  }

  /**
   * Runs until its input ends.
   *
   * @param args {@code ask} or {@code answer}, its address, bytes of a datagram, a folder in memory
   */
  public static void main(String[] args) throws IOException {
    Station station =
        new Station(args[0].equals("ask"), args[1], Integer.parseInt(args[2]), args[3]);
    try (BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        System.out.println(station.obey(line.split(" ", -1)));
        System.out.flush();
      }
    } finally {
      station.contenders.values().forEach(Contender::close);
    }
  }

  private String obey(String[] words) throws IOException {
    String name = words[1];
    if (words[0].equals("open")) {
      Contender opened = open(name);
      contenders.put(name, opened);
      return "opened " + opened.address();
    }
    Contender contender = contenders.get(name);
    if (contender == null) {
      throw new IllegalArgumentException("no contender " + name);
    }
    if (words[0].equals("connect")) {
      contender.connect(words[2]);
      return "connected";
    }
    int bytes = Integer.parseInt(words[2]);
    int count = Integer.parseInt(words[3]);
    if (roundTripsNs.length < count && words[0].equals("ask")) {
      roundTripsNs = new long[count];
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    long startNs = System.nanoTime();
    switch (words[0]) {
      case "ask" -> contender.ask(bytes, count, roundTripsNs);
      case "answer" -> contender.answer(bytes, count);
      case "flood" -> contender.flood(bytes, count);
      case "sink" -> contender.sink(bytes, count);
      default -> throw new IllegalArgumentException("no command " + words[0]);
    }
    long tookNs = System.nanoTime() - startNs;
    allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
    String answer = "took %d allocated %d".formatted(tookNs, allocated);
    if (words[0].equals("ask")) {
      Arrays.sort(roundTripsNs, 0, count);
      return answer
          + " p50 %d p99 %d".formatted(roundTripsNs[count / 2], roundTripsNs[count * 99 / 100]);
    }
    return answer;
  }

  private Contender open(String name) throws IOException {
    return switch (name) {
      case "bare-ring" -> new BareRing(directory, asks);
      case "bare-udp" -> new BareUdp(ip(), frameBytesMax);
      case "tcp-nio" -> new NioTcp(host, asks);
      case "udp-nio" -> new NioUdp(host, frameBytesMax);
      case "shm" ->
          new OverNic(
              new ShmNic(ShmConfig.defaults().in(directory), NicEvents.NONE), ShmAddress::parse);
      case "udp" ->
          new OverNic(
              new UdpNic(
                  UdpConfig.builder().bind(UdpAddress.parse(host + ":0")).build(), NicEvents.NONE),
              UdpAddress::parse);
      case "passed" -> new PassedBuffers(directory, false);
      case "passed-read" -> new PassedBuffers(directory, true);
      default -> throw new IllegalArgumentException("no contender " + name);
    };
  }

  private int ip() throws IOException {
    return ByteBuffer.wrap(InetAddress.getByName(host).getAddress()).getInt();
  }
}
