package io.busbar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.linux.Affinity;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who has a processor of its own, and who does not. */
@Timeout(60)
class PinningTest extends RunCase {
  private static BitSet bits(int... all) {
    BitSet bits = new BitSet();
    for (int one : all) {
      bits.set(one);
    }
    return bits;
  }

  @Test
  void sharesAreDisjointAndLeaveNothing() {
    assertThat(Pinning.of(bits(1, 2, 5, 6, 9), 5, 2).shares())
        .isEqualTo(List.of(bits(1, 2), bits(5, 6, 9)));
    assertThat(Pinning.of(bits(0, 1, 2), 3, 3).shares())
        .isEqualTo(List.of(bits(0), bits(1), bits(2)));
  }

  @Test
  void tooFewProcessorsAreLeftToTheSystem() {
    assertThat(Pinning.of(bits(0, 1, 2), 3, 4).shares()).isEmpty();
    assertThat(Pinning.of(bits(0, 1, 2), 2, 3).shares()).isEmpty();
    assertThat(Pinning.of(bits(0, 1, 2), 3, 1).shares()).isEmpty();
  }

  private Path program() throws Exception {
    return source(
        "Where.java",
        """
        import java.nio.file.*;

        void main() throws Exception {
          for (String line : Files.readAllLines(Path.of("/proc/thread-self/status"))) {
            if (line.startsWith("Cpus_allowed_list:")) {
              IO.println(line.substring(18).strip());
            }
          }
        }
        """);
  }

  /** As the kernel writes it: 0-2,5. */
  private static BitSet read(String list) {
    BitSet bits = new BitSet();
    for (String range : list.split(",", -1)) {
      String[] ends = range.split("-", -1);
      bits.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
    }
    return bits;
  }

  private List<BitSet> places(int ranks, Object... options) throws Exception {
    Object[] words = new Object[options.length + 4];
    words[0] = "-n";
    words[1] = ranks;
    words[2] = "--label";
    System.arraycopy(options, 0, words, 3, options.length);
    words[words.length - 1] = program();
    int before = (int) out().lines().count();
    assertThat(run(words)).as(err()).isZero();
    return out().lines().skip(before).sorted().map(line -> read(line.substring(4))).toList();
  }

  @Test
  void processesRunOnTheirShares() throws Exception {
    BitSet all = Affinity.get();
    Pinning expected = Pinning.here(2);
    assertThat(places(2))
        .isEqualTo(expected.shares().isEmpty() ? List.of(all, all) : expected.shares());
    assertThat(Affinity.get()).isEqualTo(all);
    assertThat(places(2, "--no-pin")).isEqualTo(List.of(all, all));
  }

  @Test
  void moreRanksThanProcessorsRunAnywhere() throws Exception {
    BitSet all = Affinity.get();
    BitSet two = new BitSet();
    all.stream().limit(2).forEach(two::set);
    Affinity.set(two);
    try {
      assertThat(places(3)).isEqualTo(List.of(two, two, two));
    } finally {
      Affinity.set(all);
    }
  }
}
