package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.testkit.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One message of unknown size that is much longer than the memory of both ends. */
@Timeout(600)
class LongStreamTest extends Members {
  private static final List<String> LITTLE =
      List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=64m");
  private static final long MB = 1 << 20;
  private static final long GROWTH_KB_MAX = 64 << 10;

  @Test
  void halfAGigabyteInOneMessage() throws Exception {
    memoryStays("shm", 128 * MB, 512 * MB, 60);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void eightGigabytesInOneMessage(String fabric) throws Exception {
    memoryStays(fabric, 1024 * MB, 8192 * MB, 500);
  }

  private void memoryStays(String fabric, long early, long all, int limitS) throws Exception {
    ChildJvm sender = child(LITTLE, 0, 2, fabric);
    ChildJvm receiver = child(LITTLE, 1, 2, fabric);
    joinHere(fabric, 0, 2);
    long startNs = System.nanoTime();
    receiver.tell("extract");
    receiver.tell("mark 0 " + early);
    receiver.tell("mark 0 " + all);
    sender.tell("long 1 " + all);
    long receiverEarlyKb = lastWord(receiver.awaitLine("mark " + early, limitS));
    long senderEarlyKb = rssKb(sender);
    long receiverLateKb = lastWord(receiver.awaitLine("mark " + all, limitS));
    long senderLateKb = rssKb(sender);
    System.out.printf(
        "%s: %d MB in %d ms; the receiver had %d and %d KB, the sender %d and %d%n",
        fabric,
        all / MB,
        (System.nanoTime() - startNs) / 1_000_000,
        receiverEarlyKb,
        receiverLateKb,
        senderEarlyKb,
        senderLateKb);
    assertThat(receiverLateKb - receiverEarlyKb).as("KB more").isLessThan(GROWTH_KB_MAX);
    assertThat(senderLateKb - senderEarlyKb).as("KB more").isLessThan(GROWTH_KB_MAX);
    receiver.tell("report 0");
    assertThat(receiver.awaitLine("report ", 10))
        .contains("longHeard %d ".formatted(all))
        .endsWith("faults []");
    for (ChildJvm child : List.of(sender, receiver)) {
      child.tell("leave");
      String _ = child.awaitLine("left", 30);
    }
  }

  private static long rssKb(ChildJvm child) throws InterruptedException {
    child.tell("rss");
    return lastWord(child.awaitLine("rss ", 30));
  }

  private static long lastWord(String line) {
    return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
  }
}
