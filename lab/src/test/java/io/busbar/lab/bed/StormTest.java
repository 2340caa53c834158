package io.busbar.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.linux.HardwareAddress;
import io.busbar.linux.NativeAddress;
import io.busbar.linux.NativeSocket;
import io.busbar.node.stat.NodeSnapshot;
import io.busbar.node.stat.StatReader;
import io.busbar.wire.Header;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes exchange messages on an Ethernet on which a third party does what it likes. */
@Timeout(180)
@Tag("long")
class StormTest {
  private static final int OURS = 0x88B5;
  private static final int EVERY_TYPE = 3;
  private static final int ETHERNET_BYTES = 14;
  private static final int FRAME_BYTES_MAX = ETHERNET_BYTES + 1500;
  private static final int WORDS = Header.BYTES + ETHERNET_BYTES;

  @TempDir Path meeting;

  private final SplittableRandom random = new SplittableRandom(42);

  private List<HostProcess> speakers(TestBed bed, String fabric) {
    return List.of(
        Speakers.start(bed.host(0), 0, meeting, fabric),
        Speakers.start(bed.host(1), 1, meeting, fabric));
  }

  private static void checkAllHeard(List<HostProcess> speakers) {
    speakers.forEach(Speakers::awaitAllHeard);
    speakers.forEach(Speakers::awaitLeft);
  }

  /** Both have something to say yet: what is done now happens to their messages. */
  private static void checkBusy(List<HostProcess> speakers) {
    for (HostProcess speaker : speakers) {
      assertThat(speaker.output()).doesNotContain("heard ");
    }
  }

  /** The counters of a speaker, while it lives. */
  private static Map<String, Long> counters(HostProcess speaker) {
    for (Path place : StatReader.places()) {
      for (var reading : StatReader.list(place)) {
        if (reading instanceof NodeSnapshot node && node.pid() == speaker.pid()) {
          return node.counters();
        }
      }
    }
    return Map.of();
  }

  // What the third party sends.

  /** A frame to one of the two from the other one, or so it says. */
  private int forge(MemorySegment into, long[] hardware, long own) {
    int to = random.nextInt(2);
    int length = ETHERNET_BYTES + random.nextInt(FRAME_BYTES_MAX - ETHERNET_BYTES);
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    MemorySegment.copy(noise, 0, into, ValueLayout.JAVA_BYTE, 0, length);
    address(into, hardware[to], random.nextBoolean() ? own : hardware[1 - to]);
    boolean foreign = random.nextInt(4) == 0;
    into.set(ValueLayout.JAVA_BYTE, 12, (byte) (foreign ? 0x88 : OURS >>> 8));
    into.set(ValueLayout.JAVA_BYTE, 13, (byte) (foreign ? 0xB7 : OURS));
    if (length > WORDS) { // what a node looks at
      into.set(ValueLayout.JAVA_BYTE, ETHERNET_BYTES, (byte) (0x10 | random.nextInt(16)));
      short payload = (short) (random.nextInt(3) == 0 ? random.nextInt(2000) : length - WORDS);
      into.set(ValueLayout.JAVA_SHORT_UNALIGNED, ETHERNET_BYTES + 2, payload);
      into.set(ValueLayout.JAVA_SHORT_UNALIGNED, ETHERNET_BYTES + 4L, (short) to);
      into.set(ValueLayout.JAVA_SHORT_UNALIGNED, ETHERNET_BYTES + 6L, (short) (1 - to));
      int options = random.nextBoolean() ? random.nextInt(0x80) : random.nextInt(0x10000);
      into.set(ValueLayout.JAVA_SHORT_UNALIGNED, WORDS - 2L, (short) options);
    }
    return length;
  }

  private static void address(MemorySegment frame, long to, long from) {
    HardwareAddress.write(to, frame, 0);
    HardwareAddress.write(from, frame, 6);
  }

  /**
   * Sends noise, and what it has overheard: the same again, or changed. What was overheard comes
   * from the third party's own address, as it would without a switch that is fooled.
   */
  private final class Storm implements Runnable, AutoCloseable {
    private final NativeSocket out;
    private final NativeSocket ear;
    private final NativeAddress place;
    private final long[] hardware;
    private final long own;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment frame = arena.allocate(1 << 16);
    private final Thread thread = new Thread(this, "storm");
    private volatile boolean ended;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong overheard = new AtomicLong();

    Storm(TestBed bed) throws Exception {
      TestHost third = bed.host(2);
      third.distrust(); // else it need only say that it is another one to cut that one off
      TestHost victim = bed.host(1);
      hardware =
          new long[] {bed.host(0).device().hardwareAddress(), victim.device().hardwareAddress()};
      own = third.device().hardwareAddress();
      place = new NativeAddress().packet(third.device().index(), OURS, 0);
      out = third.call(NativeSocket::packet);
      ear =
          victim.call(
              () -> {
                NativeSocket socket = NativeSocket.packet();
                int index = victim.device().index();
                socket.bind(new NativeAddress().packet(index, EVERY_TYPE, 0));
                return socket;
              });
      thread.start();
    }

    @Override
    public void run() {
      while (!ended) {
        for (int i = 0; i < 8; i++) {
          int length = random.nextBoolean() ? overhear() : forge(frame, hardware, own);
          if (length >= ETHERNET_BYTES) {
            long _ = sent.addAndGet(out.sendTo(frame, 0, length, place) > 0 ? 1 : 0);
          }
        }
        LockSupport.parkNanos(200_000);
      }
    }

    private int overhear() {
      int length = Math.min(ear.receive(frame, 0, FRAME_BYTES_MAX), FRAME_BYTES_MAX);
      if (length <= WORDS) {
        return 0;
      }
      long _ = overheard.incrementAndGet();
      address(frame, hardware[random.nextInt(2)], own);
      if (random.nextBoolean()) {
        for (int i = 1 + random.nextInt(8); i > 0; i--) {
          int at = ETHERNET_BYTES + random.nextInt(length - ETHERNET_BYTES);
          frame.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt(256));
        }
      }
      return random.nextInt(8) == 0 ? random.nextInt(length) : length;
    }

    @Override
    public void close() {
      ended = true;
      while (thread.isAlive()) { // it ends soon, and uses what is closed below
        LockSupport.parkNanos(100_000);
      }
      out.close();
      ear.close();
      arena.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"packet", "xdp"})
  void nothingIsLostInAStorm(String fabric) throws Exception {
    try (TestBed bed = TestBed.create(3);
        Storm storm = new Storm(bed)) {
      List<HostProcess> speakers = speakers(bed, fabric);
      Map<String, Long> seen = new HashMap<>();
      for (HostProcess speaker : speakers) {
        String _ = Speakers.choice(speaker);
        long untilNs = System.nanoTime() + Speakers.LIMIT.toNanos();
        while (!speaker.output().contains("heard ") && System.nanoTime() < untilNs) {
          counters(speaker).forEach((name, value) -> seen.merge(name, value, Math::max));
          LockSupport.parkNanos(20_000_000);
        }
      }
      checkAllHeard(speakers);
      assertThat(storm.sent.get()).isGreaterThan(1000);
      assertThat(seen.get("node.strange-frames")).as("%s", seen).isGreaterThan(100);
      long dropped =
          seen.entrySet().stream()
              .filter(count -> count.getKey().startsWith("qmp.drop-"))
              .mapToLong(Map.Entry::getValue)
              .sum();
      assertThat(dropped).as("%s", seen).isGreaterThan(100);
      if (fabric.equals("packet")) { // a program takes frames away before others can listen
        assertThat(storm.overheard.get()).isGreaterThan(100);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"packet", "xdp"})
  void aPortThatIsUnpluggedForAWhileCostsTimeAlone(String fabric) throws Exception {
    try (TestBed bed = TestBed.create(2)) {
      List<HostProcess> speakers = speakers(bed, fabric);
      String _ = Speakers.choice(speakers.getFirst());
      for (int i = 0; i < 3; i++) {
        bed.host(i % 2).unplug();
        checkBusy(speakers);
        Thread.sleep(150);
        bed.host(i % 2).plug();
        Thread.sleep(50);
      }
      checkAllHeard(speakers);
    }
  }

  @Test
  void anInterfaceThatIsSwitchedOffForAWhileCostsTimeAlone() throws Exception {
    try (TestBed bed = TestBed.create(2)) {
      List<HostProcess> speakers = speakers(bed, "packet|udp");
      String _ = Speakers.choice(speakers.getFirst());
      bed.host(0).down();
      checkBusy(speakers);
      Thread.sleep(150);
      bed.host(0).up();
      checkAllHeard(speakers);
    }
  }
}
