package io.busbar.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.mpi.WaitGraph.Kind;
import io.busbar.mpi.WaitGraph.Member;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who waits for ever, and who only waits. */
class WaitGraphTest {
  private static final Member WORKS = new Member(Kind.GOES_ON, List.of());
  private static final Member FINALISED = new Member(Kind.FINALISED, List.of());
  private static final Member ENDED = new Member(Kind.ENDED, List.of());

  private static Wait wait(boolean orOne, Integer... ranks) {
    return new Wait("receive", orOne, List.of(ranks), "1", "c", "recv", "A.b(A.java:1)", 5);
  }

  private static Member waits(Wait... waits) {
    return new Member(Kind.WAITS, List.of(waits));
  }

  private static Member on(Integer... ranks) {
    return waits(wait(false, ranks));
  }

  private static Member onOneOf(Integer... ranks) {
    return waits(wait(true, ranks));
  }

  private static WaitGraph graph(Member... members) {
    return new WaitGraph(Arrays.asList(members));
  }

  @Test
  void rings() {
    WaitGraph ring = graph(on(1), on(2), on(0));
    assertThat(ring.stuck()).containsExactly(0, 1, 2);
    assertThat(ring.reason())
        .isEqualTo("rank 0 waits for rank 1, rank 1 waits for rank 2, rank 2 waits for rank 0");
    WaitGraph tail = graph(on(2), WORKS, on(3), on(2));
    assertThat(tail.stuck()).containsExactly(0, 2, 3);
    assertThat(tail.reason()).isEqualTo("rank 2 waits for rank 3, rank 3 waits for rank 2");
    WaitGraph alone = graph(WORKS, on(1));
    assertThat(alone.stuck()).containsExactly(1);
    assertThat(alone.reason()).isEqualTo("rank 1 waits for itself");
  }

  @Test
  void chainsThatEndInWorkAreNone() {
    assertThat(graph(on(1), on(2), WORKS).stuck()).isEmpty();
    assertThat(graph(onOneOf(1, 2), on(0), WORKS).stuck()).isEmpty();
    assertThat(graph(on(1, 2), on(0), WORKS).stuck()).containsExactly(0, 1);
    assertThat(graph(WORKS, WORKS).stuck()).isEmpty();
  }

  /** One thread that goes on is enough for its rank. */
  @Test
  void threadsOfOneRank() {
    assertThat(graph(waits(wait(false, 1), wait(false, 2)), on(0), WORKS).stuck()).isEmpty();
    assertThat(graph(waits(wait(false, 1), wait(false, 1)), on(0), WORKS).stuck())
        .containsExactly(0, 1);
    assertThat(graph(waits(wait(false)), on(0)).stuck()).isEmpty();
    assertThat(graph(waits(wait(false), wait(false, 1)), on(0)).stuck()).containsExactly(0, 1);
  }

  @Test
  void whoIsNoMore() {
    assertThat(graph(on(1), FINALISED).stuck()).containsExactly(0);
    assertThat(graph(on(1), FINALISED).reason())
        .isEqualTo("rank 0 waits for rank 1, which has finalised");
    assertThat(graph(ENDED, on(2), on(0)).reason())
        .isEqualTo("rank 2 waits for rank 0, which has ended");
    assertThat(graph(onOneOf(1, 2), FINALISED, WORKS).stuck()).isEmpty();
  }

  @Test
  void filesAreRead(@TempDir Path folder) throws Exception {
    Wait odd = new Wait("send", true, List.of(), "", "a\tb", "call", "", 7);
    new RankState(3, 5, true, List.of(wait(true, 1, 22), odd), List.of("main at X"))
        .write(folder, 4);
    Wait plain = new Wait("send", true, List.of(), "", "a b", "call", "", 7);
    assertThat(RankState.read(folder, 4))
        .isEqualTo(
            new RankState(3, 5, true, List.of(wait(true, 1, 22), plain), List.of("main at X")));
    assertThat(RankState.read(folder, 5)).isNull();
  }
}
