package io.busbar.bench.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages whose way is known. */
class TimelineTest {
  private static final int SENDER = 11;
  private static final int RECEIVER = 22;
  private static final int MESSAGES = 10;
  private static final long EVERY_NS = 100_000;

  @TempDir private Path folder = Path.of("");

  /** Stamps of borders at known times after the call of each message. */
  private Stamps stamps(Map<Border, Integer> afterNs) throws IOException {
    int borders = Border.values().length;
    ByteBuffer bytes = ByteBuffer.allocate(MESSAGES * borders * Long.BYTES);
    for (int i = 0; i < MESSAGES; i++) {
      long start = (i + 1) * EVERY_NS;
      int message = i;
      afterNs.forEach(
          (border, after) ->
              bytes.putLong((message * borders + border.slot) * Long.BYTES, start + after));
    }
    Path file = Files.write(folder.resolve("stamps-" + afterNs.hashCode()), bytes.array());
    return Stamps.read(file);
  }

  private static List<KernelEvent> events(boolean sleeps, int lacksAwakening) {
    List<KernelEvent> events = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      long start = (i + 1) * EVERY_NS;
      long frame = 0x1000L + i % 2; // addresses are used again
      events.add(new KernelEvent(start + 300, "sys_enter_sendmmsg", SENDER, 0, 0));
      events.add(new KernelEvent(start + 1300, "net_dev_queue", SENDER, frame, 0));
      events.add(new KernelEvent(start + 1800, "netif_rx", SENDER, frame, 0));
      events.add(new KernelEvent(start + 2000, "netif_receive_skb", SENDER, frame ^ 1, 0));
      events.add(new KernelEvent(start + 2100, "netif_receive_skb", SENDER, frame, 0));
      events.add(new KernelEvent(start + 3000, "sk_data_ready", SENDER, 0, 0));
      if (sleeps && i >= lacksAwakening) {
        events.add(new KernelEvent(start + 5000, "sched_switch", 0, 0, RECEIVER));
      }
      events.add(new KernelEvent(start + 5500, "sock_recv_length", SENDER, 0, 0));
      events.add(new KernelEvent(start + 6000, "sock_recv_length", RECEIVER, 0, 0));
      events.add(new KernelEvent(start + 6200, "sys_exit_recvmmsg", RECEIVER, 0, 0));
    }
    return events;
  }

  private Timeline timeline(List<KernelEvent> events) throws IOException {
    Timeline timeline = new Timeline(false);
    timeline.add(
        stamps(Map.of(Border.CALLED, 0, Border.GIVEN, 100, Border.RUNG, 200)),
        stamps(Map.of(Border.CAME, 6500, Border.HANDLED, 7000)),
        SENDER,
        RECEIVER,
        events);
    return timeline;
  }

  @Test
  void stagesFollowEachOtherWithoutAGap() throws IOException {
    Timeline timeline = timeline(events(false, 0));
    assertThat(timeline.size()).isEqualTo(MESSAGES);
    assertThat(timeline.stages().values())
        .containsExactly(0.1, 0.1, 0.1, 1.0, 0.5, 0.3, 0.9, 3.0, 0.2, 0.3, 0.5);
    assertThat(timeline.stages().keySet())
        .startsWith("messages, node and transport", "node", "interface, system call")
        .contains("receiver looks, copy")
        .endsWith("system call returns", "interface", "transport, node and messages");
    double sum = timeline.stages().values().stream().mapToDouble(us -> us).sum();
    assertThat(sum).isCloseTo(timeline.oneWayUs(), within(1e-9)).isCloseTo(7, within(1e-9));
  }

  @Test
  void aReceiverThatSleepsHasOneStageMore() throws IOException {
    assertThat(timeline(events(true, 0)).stages()).containsEntry("wake-up", 2.0);
    Timeline some = timeline(events(true, 1));
    assertThat(some.stages()).containsKey("wake-up");
    assertThat(some.size()).as("one without an awakening is left out").isEqualTo(MESSAGES - 1);
    assertThat(timeline(events(true, 9)).stages()).doesNotContainKey("wake-up");
  }

  @Test
  void withoutAKernelThatTellsItIsOneStage() throws IOException {
    assertThat(timeline(List.of()).stages())
        .containsExactly(
            Map.entry("messages, node and transport", 0.1),
            Map.entry("node", 0.1),
            Map.entry("interfaces and kernel", 6.3),
            Map.entry("transport, node and messages", 0.5));
  }

  @Test
  void aRingHasNeitherBellNorKernel() throws IOException {
    Timeline ring = new Timeline(true);
    ring.add(
        stamps(Map.of(Border.CALLED, 0, Border.GIVEN, 100, Border.RUNG, 200)),
        stamps(Map.of(Border.CAME, 150, Border.HANDLED, 400, Border.DONE, 500)),
        SENDER,
        RECEIVER,
        List.of());
    assertThat(ring.stages())
        .containsExactly(
            Map.entry("messages, node and transport", 0.1),
            Map.entry("ring", 0.05),
            Map.entry("transport, node and messages", 0.25),
            Map.entry("program", 0.1));
    assertThat(ring.oneWayUs()).isEqualTo(0.5);
  }

  @Test
  void nothingIsSeenWhereNothingWasStamped() {
    Timeline empty = new Timeline(false);
    empty.add(new Stamps(5, true), new Stamps(5, true), SENDER, RECEIVER, events(false, 0));
    assertThat(empty.size()).isZero();
    assertThat(empty.stages()).isEmpty();
    assertThat(empty.oneWayUs()).isNaN();
  }
}
