package io.busbar.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.ClusterName;
import io.busbar.wire.Format;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Eight hosts on a switch, each with a node that was told of nobody: they find each other, notice
 * who was killed, restarted, stopped or unplugged, and are not deceived by noise.
 */
@Timeout(240)
class SegmentTest {
  private static final int HOSTS = 8;
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String GROUP = "239.255.70.9";
  private static final int PORT = 7009;

  /** So much noise there is at least, and between two of them such a pause where nobody speaks. */
  private static final int NOISES = 200;

  private static final int PAUSE_MS = 10;

  /** With defaults a death is noticed in less; how much more a busy machine may take. */
  private static final long NOTICED_MS_MAX = 6_000;

  private final TestBed bed = TestBed.create(HOSTS + 1);
  private final HostProcess[] residents = new HostProcess[HOSTS];

  /** Lines that each has said before this chapter. */
  private final int[] said = new int[HOSTS];

  private void start(int host, int id) {
    residents[host] =
        bed.host(host)
            .java(
                Speakers.SMALL,
                Resident.class,
                List.of(Integer.toString(id), Integer.toString(HOSTS)));
    said[host] = 0;
  }

  private static long timeOf(String line) {
    return Long.parseLong(line.substring(line.lastIndexOf('@') + 1));
  }

  /** What is waited for from now on was not said before. */
  private void beginChapter() {
    for (int host = 0; host < HOSTS; host++) {
      HostProcess resident = residents[host];
      said[host] = resident == null ? 0 : (int) resident.output().lines().count();
    }
  }

  private List<String> chapter(int host) {
    return residents[host].output().lines().skip(said[host]).toList();
  }

  /** Waits until a host has said something in this chapter; when that was. */
  private long await(int host, String words) {
    long endNs = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      for (String line : chapter(host)) {
        if (line.startsWith(words + " ")) {
          return timeOf(line);
        }
      }
      assertThat(System.nanoTime())
          .as("host %d says in time: %s; it said\n%s", host, words, residents[host].output())
          .isLessThan(endNs);
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** When the last of the others said something. */
  private long awaitOthers(int except, String words) {
    long last = 0;
    for (int host = 0; host < HOSTS; host++) {
      last = host == except ? last : Math.max(last, await(host, words));
    }
    return last;
  }

  private static void signal(HostProcess process, String name) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  private void talk(int from, int to) {
    long heard = count(to, "heard " + from);
    long refused = count(from, "refused");
    residents[from].sendLine("say " + to);
    long endNs = System.nanoTime() + LIMIT.toNanos();
    while (count(to, "heard " + from) == heard) {
      assertThat(System.nanoTime())
          .as(
              "host %d hears %d; it said\n%s\nand the other one\n%s",
              to, from, residents[to].output(), residents[from].output())
          .isLessThan(endNs);
      assertThat(count(from, "refused")).as("host %d knows %d", from, to).isEqualTo(refused);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private long count(int host, String words) {
    return chapter(host).stream().filter(line -> line.startsWith(words + " ")).count();
  }

  @Test
  void eightHosts() throws Exception {
    play(0, 0.1);
  }

  /** A stop after which lanes over UDP have been given up, too; and few losses. */
  @Tag("long")
  @Test
  void eightHostsOfWhichOneStopsForLong() throws Exception {
    play(20_000, 0.01, 0.1);
  }

  private void play(long stoppedMs, double... losses) throws Exception {
    theyFindEachOther();
    oneIsStopped(stoppedMs);
    oneIsKilledAndStartedAgain();
    oneIsUnplugged();
    onePortLosesFrames(losses);
    oneTakesNothing();
    noiseChangesNothing();
    theyLeave();
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private void theyFindEachOther() {
    for (int host : new int[] {3, 0, 7, 1, 6, 2, 5, 4}) {
      start(host, host);
    }
    long joined = awaitOthers(-1, "joined-as");
    long complete = awaitOthers(-1, "complete");
    System.out.printf("8 hosts: all know all %d ms after the last joined%n", complete - joined);
    assertThat(complete - joined).isLessThan(3_000);
    talk(0, 5);
    talk(5, 0);
  }

  /** Until all hold it to be dead, and for so long at least. */
  private void oneIsStopped(long stoppedMs) throws Exception {
    beginChapter();
    signal(residents[7], "STOP");
    long stopped = System.currentTimeMillis();
    long noticed = 0;
    for (int host = 0; host < 7; host++) {
      noticed = Math.max(noticed, await(host, "died 7"));
    }
    System.out.printf(
        "a node that was stopped is held to be dead after %d ms%n", noticed - stopped);
    assertThat(noticed - stopped).isLessThan(NOTICED_MS_MAX);
    Thread.sleep(Math.max(0, stoppedMs - (System.currentTimeMillis() - stopped)));
    signal(residents[7], "CONT");
    for (int host = 0; host < 7; host++) {
      long _ = await(host, "came_back 7");
    }
    talk(7, 2);
    talk(2, 7);
    assertThat(chapter(7))
        .as("what a node that was stopped says when it goes on")
        .noneMatch(line -> line.startsWith("died ") || line.startsWith("suspected "));
  }

  private void oneIsKilledAndStartedAgain() throws Exception {
    beginChapter();
    signal(residents[3], "KILL");
    long killed = System.currentTimeMillis();
    long noticed = awaitOthers(3, "died 3");
    System.out.printf("a killed node is noticed by all after %d ms%n", noticed - killed);
    assertThat(noticed - killed).isLessThan(NOTICED_MS_MAX);
    start(3, 3);
    long joined = await(3, "joined-as 3");
    long known = awaitOthers(3, "restarted 3");
    System.out.printf("its next life is known to all %d ms after it joined%n", known - joined);
    assertThat(known - joined).isLessThan(3_000);
    long _ = await(3, "complete"); // it knows others as soon as it hears of them, not before
    talk(3, 1);
    talk(1, 3);
    beginChapter();
    signal(residents[3], "KILL");
    start(3, 3); // before anybody notices the death
    long _ = await(3, "joined-as 3");
    long _ = awaitOthers(3, "restarted 3");
    talk(6, 3);
    talk(3, 6);
  }

  private void oneIsUnplugged() {
    beginChapter();
    bed.host(4).unplug();
    long _ = awaitOthers(4, "died 4");
    for (int other : new int[] {0, 1, 2, 3, 5, 6, 7}) {
      long _ = await(4, "died " + other);
    }
    bed.host(4).plug();
    long healed = System.currentTimeMillis();
    long merged = awaitOthers(4, "came_back 4");
    System.out.printf("two parts are one again %d ms after the plug is in%n", merged - healed);
    for (int other : new int[] {0, 1, 2, 3, 5, 6, 7}) {
      long _ = await(4, "came_back " + other);
    }
    talk(4, 0);
    talk(0, 4);
  }

  private void onePortLosesFrames(double... losses) throws Exception {
    for (double loss : losses) {
      beginChapter();
      bed.loss(bed.host(2), loss);
      cast(1, 2_000);
      cast(2, 1_000);
      Thread.sleep(2_000);
      talk(2, 5);
      talk(5, 2);
      bed.heal(bed.host(2));
      for (int host = 0; host < HOSTS; host++) {
        assertThat(count(host, "died")).as("deaths at %s loss", loss).isZero();
        assertThat(count(host, "wrong") + count(host, "gap")).as("missed by %d", host).isZero();
      }
    }
  }

  /** A node speaks to all, and all others hear the last word. */
  private void cast(int from, int messages) {
    residents[from].sendLine("cast " + messages);
    String[] said = new String[1];
    long endNs = System.nanoTime() + LIMIT.toNanos();
    long casts = count(from, "cast");
    while (count(from, "cast") == casts && System.nanoTime() < endNs) {
      LockSupport.parkNanos(1_000_000);
    }
    for (String line : chapter(from)) {
      said[0] = line.startsWith("cast ") ? line.split(" ", -1)[1] : said[0];
    }
    for (int host = 0; host < HOSTS; host++) {
      if (host != from) {
        long _ = await(host, "heeded %d %s".formatted(from, said[0]));
      }
    }
  }

  /** It is evicted after 2 s, told what it has missed, and taken in again. */
  private void oneTakesNothing() {
    beginChapter();
    cast(6, 10);
    residents[5].sendLine("sleep 4");
    long _ = await(5, "sleeps"); // or it has taken all before it sleeps
    residents[6].sendLine("cast 4000");
    long _ = await(6, "reader_evicted 5");
    long _ = await(5, "evicted 6");
    long _ = await(5, "gap 6");
    beginChapter();
    cast(6, 10);
    for (int host = 0; host < HOSTS; host++) {
      assertThat(count(host, "wrong") + count(host, "died")).as("host %d", host).isZero();
    }
  }

  /** From a ninth host: bytes without sense, frames that are cut, of others, and of the past. */
  private void noiseChangesNothing() throws Exception {
    beginChapter();
    List<byte[]> recorded = bed.host(HOSTS).call(this::disturb);
    assertThat(recorded).as("real frames that were sent again").isNotEmpty();
    for (int host = 0; host < HOSTS; host++) {
      residents[host].sendLine("size");
      long _ = await(host, "size 8");
      assertThat(chapter(host))
          .as("what host %d says of the noise", host)
          .noneMatch(line -> line.startsWith("died ") || line.startsWith("id_lost "));
      if (host > 0) {
        assertThat(chapter(host).stream().filter(line -> line.startsWith("restarted ")))
            .as("lives that host %d has seen", host)
            .hasSize(1);
      }
    }
    talk(1, 6);
  }

  private List<byte[]> disturb() throws Exception {
    Random random = new Random(7);
    List<byte[]> recorded = new ArrayList<>();
    InetSocketAddress all = new InetSocketAddress(InetAddress.ofLiteral(GROUP), PORT);
    NetworkInterface device = NetworkInterface.getByName(bed.host(HOSTS).deviceName());
    try (MulticastSocket ear = new MulticastSocket(all);
        DatagramSocket mouth = new DatagramSocket()) {
      ear.joinGroup(all, device);
      ear.setSoTimeout(PAUSE_MS);
      mouth.setOption(StandardSocketOptions.IP_MULTICAST_IF, device);
      residents[0].sendLine("quit"); // so that there are words to record
      long _ = await(0, "left-by-itself");
      start(0, 0);
      long endNs = System.nanoTime() + LIMIT.toNanos();
      for (int i = 0; i < NOISES || count(0, "complete") == 0; i++) { // till it knows all again
        assertThat(System.nanoTime()).as(residents[0].output()).isLessThan(endNs);
        record(ear, recorded);
        byte[] noise =
            switch (random.nextInt(3)) {
              case 0 -> {
                byte[] bytes = new byte[random.nextInt(1400)];
                random.nextBytes(bytes);
                yield bytes;
              }
              case 1 -> senseless(random);
              default -> cut(recorded, random);
            };
        mouth.send(new DatagramPacket(noise, noise.length, all));
      }
      long _ = awaitOthers(0, "restarted 0");
      List<byte[]> past = recorded.stream().filter(frame -> frame.length > 0).toList();
      for (byte[] frame : past) {
        mouth.send(new DatagramPacket(frame, frame.length, all));
      }
      Thread.sleep(1_000);
      return past;
    }
  }

  private static void record(MulticastSocket ear, List<byte[]> recorded) throws Exception {
    DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
    try {
      ear.receive(packet);
      int format = packet.getData()[0] & 0xF;
      boolean isWord = packet.getLength() > 40 && format >= Format.HELLO && format <= Format.NEWS;
      if (isWord && recorded.size() < 100) {
        recorded.add(Arrays.copyOf(packet.getData(), packet.getLength()));
      }
    } catch (SocketTimeoutException e) {
      // Nobody speaks now.
    }
  }

  /** The right version, cluster and format, and nothing else. */
  private static byte[] senseless(Random random) {
    byte[] bytes = new byte[32 + random.nextInt(600)];
    random.nextBytes(bytes);
    bytes[0] = (byte) (1 << 4 | (Format.BUS + random.nextInt(8)));
    long key = ClusterName.hash("segment");
    for (int i = 0; i < 8; i++) {
      bytes[8 + i] = (byte) (key >>> (8 * i));
    }
    bytes[2] = (byte) (bytes.length - 32);
    bytes[3] = (byte) ((bytes.length - 32) >>> 8);
    bytes[30] = 0;
    bytes[31] = 0;
    return bytes;
  }

  private static byte[] cut(List<byte[]> recorded, Random random) {
    if (recorded.isEmpty()) {
      return new byte[1];
    }
    byte[] whole = recorded.get(random.nextInt(recorded.size()));
    return Arrays.copyOf(whole, random.nextInt(whole.length));
  }

  private void theyLeave() {
    beginChapter();
    for (int host = 1; host < HOSTS; host++) {
      residents[host].sendLine("quit");
      assertThat(residents[host].awaitExit(LIMIT)).as(residents[host].output()).isZero();
      long _ = await(0, "left " + host);
    }
    residents[0].sendLine("size");
    long _ = await(0, "size 1");
  }
}
