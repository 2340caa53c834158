package io.busbar.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fast Messages between two hosts: over UDP, although both see the same folder of shared memory,
 * and in both directions at once.
 */
@Timeout(180)
class MessagesBetweenHostsTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final List<String> SMALL = List.of("-Xmx64m", "-XX:+UseSerialGC");

  @TempDir Path meeting;

  private HostProcess speaker(TestHost host, int rank) {
    String address = host.address4().getHostAddress();
    List<String> arguments =
        List.of(Integer.toString(rank), meeting.toString(), address, "shm,udp");
    return host.java(SMALL, Speaker.class, arguments);
  }

  @Test
  void messagesOfAllLengthsCross() throws Exception {
    int count = Speaker.ROUNDS * Speaker.LENGTHS.length;
    long bytes = Speaker.ROUNDS * (long) Arrays.stream(Speaker.LENGTHS).sum();
    try (TestBed bed = TestBed.create(2)) {
      TestHost a = bed.host(0);
      TestHost b = bed.host(1);
      List<HostProcess> both =
          bed.crossed(
              a,
              b,
              bytes,
              () -> {
                List<HostProcess> speakers = List.of(speaker(a, 0), speaker(b, 1));
                for (HostProcess speaker : speakers) {
                  assertThat(speaker.awaitLine(line -> line.startsWith("choice "), LIMIT))
                      .startsWith("choice udp, because")
                      .contains("network namespace");
                  assertThat(speaker.awaitLine(line -> line.startsWith("heard "), LIMIT))
                      .isEqualTo("heard %d all true fault none".formatted(count));
                }
                return speakers;
              });
      for (HostProcess speaker : both) {
        assertThat(speaker.awaitExit(LIMIT)).as(speaker.output()).isZero();
        assertThat(speaker.output()).endsWith("left").doesNotContain("undelivered");
      }
    }
  }
}
