package io.busbar.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bench.Figure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others made takes part on one host and between two, and its bytes cross the cable. */
@Tag("long")
class PeersTest {
  private static final Effort LEAST = new Effort(0, 1_000_000, 1);

  private final KeptReport report = new KeptReport();

  @Test
  void nettyTakesPart() {
    takesPart("netty-epoll");
  }

  /** Installs what the machine lacks of some. */
  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"jgroups-tcp", "mpi-open", "mpi-mpich", "mpj-express"})
  void otherPeersTakePart(String contender) {
    takesPart(contender);
  }

  private void takesPart(String contender) {
    try (Hosts hosts = Hosts.open(report)) {
      assertThat(hosts.scenes()).hasSize(2);
      for (Scene scene : hosts.scenes()) {
        try (Contest contest =
            new Contest(KeptReport.NAMED, report, scene, new Quiet(0))
                .enter("peer", contender)
                .connect()) {
          for (int bytes : List.of(1, 64, 64 << 10, 1 << 20)) {
            Figure trips = contest.roundTrips(contest.systems(), bytes, LEAST).roundTrip();
            assertThat(report.missing).isEmpty();
            assertThat(trips.systems().get("peer")).isGreaterThan(0.1);
            Outcome floods = contest.floods(contest.systems(), bytes, LEAST);
            assertThat(report.missing).isEmpty();
            assertThat(floods.rate().systems().get("peer")).isGreaterThan(1);
          }
        }
      }
    }
  }

  @Test
  void withoutTheRightToMakeHostsThereIsThisOne() {
    try (Hosts hosts = Hosts.open(report, "run this as root")) {
      assertThat(report.missing).singleElement().asString().contains("two hosts").contains("root");
      assertThat(hosts.scenes()).extracting(Scene::name).containsExactly("shm");
      hosts.ifTwo(
          _ -> {
            throw new AssertionError("there are no two");
          });
      try (Contest contest =
          new Contest(KeptReport.NAMED, report, hosts.shm(), new Quiet(0))
              .enter("busbar", "messages-shm")
              .enter("floor", "bare-ring")
              .connect()) {
        Map<String, Double> trips =
            contest.roundTrips(contest.systems(), 64, LEAST).roundTrip().systems();
        assertThat(trips.values()).allMatch(us -> us != null && us > 0.01);
      }
    }
  }
}
