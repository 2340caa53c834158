package io.busbar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a newcomer runs first does what it says. */
@Timeout(120)
class ExamplesTest extends RunCase {
  private static final Path EXAMPLES = Path.of("..", "examples");
  private static final int LINES_MAX = 80;
  private static final String HEAT =
      "after 200 steps a plate of 48 x 48 cells has a mean of 13.178147 degrees";

  private List<String> runs(int processes, String name) throws Exception {
    assertThat(run("-n", processes, EXAMPLES.resolve(name))).as(err()).isZero();
    assertThat(err()).isEmpty();
    return out().lines().sorted().toList();
  }

  @Test
  void ping() throws Exception {
    assertThat(runs(2, "Ping.java")).hasSize(1).first().asString().contains("round trips over shm");
  }

  @Test
  void echo() throws Exception {
    assertThat(runs(3, "Echo.java"))
        .containsExactly(
            "answered 2 questions", "node 0 heard: this is node 1", "node 0 heard: this is node 2");
  }

  @Test
  void scatterGather() throws Exception {
    assertThat(runs(4, "ScatterGather.java"))
        .containsExactly("the numbers from 1 to 3000000 add up to 4500001500000");
  }

  @Test
  void passAlong() throws Exception {
    assertThat(runs(2, "PassAlong.java"))
        .containsExactly("took 200 buffers, whose last numbers add up to 19900");
  }

  @Test
  void everyone() throws Exception {
    assertThat(runs(3, "Everyone.java"))
        .containsExactly(
            "heard [this is node 0, this is node 1]",
            "heard [this is node 0, this is node 2]",
            "heard [this is node 1, this is node 2]");
  }

  @Test
  void pi() throws Exception {
    assertThat(run("-n", 4, EXAMPLES.resolve("Pi.java"), 1_000_000)).as(err()).isZero();
    assertThat(out()).startsWith("pi is about 3.1415926536: 1000000 terms on 4 processes, ");
  }

  @Test
  void mpiHello() throws Exception {
    assertThat(runs(3, "MpiHello.java"))
        .containsExactly(
            "Hello from rank 0 of 3", "Hello from rank 1 of 3", "Hello from rank 2 of 3");
  }

  /** The plate does not know how it is cut. */
  @Test
  void heat() throws Exception {
    assertThat(runs(2, "Heat.java")).containsExactly("" + HEAT);
    assertThat(runs(4, "Heat.java")).containsExactly("" + HEAT, "" + HEAT);
  }

  @Tag("long")
  @Test
  void heatOnSix() throws Exception {
    assertThat(runs(6, "Heat.java")).containsExactly("" + HEAT);
  }

  @Test
  void matrix() throws Exception {
    assertThat(runs(3, "Matrix.java"))
        .containsExactly("the product of two matrices of 240 x 240 has a trace of 1170055");
  }

  @Test
  void farm() throws Exception {
    assertThat(runs(4, "Farm.java"))
        .containsExactly("100 tasks done, the sum of all results is 3142");
  }

  @Test
  void ring() throws Exception {
    assertThat(runs(3, "Ring.java")).containsExactly("after 1000 rounds of 3 the token is 3000");
  }

  @Test
  void examplesAreShort() throws Exception {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      for (Path file : files.toList()) {
        assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeLessThan(LINES_MAX);
      }
    }
  }
}
