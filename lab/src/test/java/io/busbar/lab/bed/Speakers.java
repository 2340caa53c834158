package io.busbar.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Starts {@link Speaker}s on hosts, and sees that each heard all that the other one said. */
final class Speakers {
  static final Duration LIMIT = Duration.ofSeconds(90);

  /** JVMs that leave room for others. */
  static final List<String> SMALL =
      List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private Speakers() {}

  static HostProcess start(TestHost host, int rank, Path meeting, String fabrics) {
    String address = host.addressText();
    List<String> arguments = List.of(Integer.toString(rank), meeting.toString(), address, fabrics);
    return host.java(SMALL, Speaker.class, arguments);
  }

  /** What a speaker says about the carrier to the other one, when it is chosen. */
  static String choice(HostProcess speaker) {
    return speaker.awaitLine(line -> line.startsWith("choice "), LIMIT);
  }

  static void awaitAllHeard(HostProcess speaker) {
    int count = Speaker.ROUNDS * Speaker.LENGTHS.length;
    assertThat(speaker.awaitLine(line -> line.startsWith("heard "), LIMIT))
        .isEqualTo("heard %d all true fault none".formatted(count));
  }

  static void awaitLeft(HostProcess speaker) {
    assertThat(speaker.awaitExit(LIMIT)).as(speaker.output()).isZero();
    assertThat(speaker.output()).endsWith("left").doesNotContain("undelivered");
  }
}
