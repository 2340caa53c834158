package io.busbar.bench.layers;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bench.Figure;
import io.busbar.bench.Listening;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Scene;
import io.busbar.lab.bed.TestBed;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every face of the list is measured, and has a share. */
@Tag("long")
class LayersBenchTest {
  @Test
  void everyFaceHasAShare() {
    Listening report = new Listening();
    try (TestBed bed = TestBed.pair();
        Contest contest =
            LayersBench.enter(Contest.trial(new LayersBench(), report, Scene.shm(bed)))) {
      LayersBench.measure(report, contest, 64, new Effort(0, 2_000_000, 3));
    }
    assertThat(report.figures)
        .extracting(Figure::labels)
        .containsExactly(
            Map.of("by", "rtt_p50", "of", "fabric"),
            Map.of("by", "rtt_p50", "of", "messages"),
            Map.of("by", "bandwidth", "of", "fabric"),
            Map.of("by", "bandwidth", "of", "messages"));
    assertThat(report.figures).extracting(Figure::metric).containsOnly("share");
    assertThat(report.figures.get(0).systems()).containsOnlyKeys("messages");
    assertThat(report.figures.get(1).systems().keySet())
        .containsExactlyElementsOf(Face.ALL.stream().map(Face::name).toList());
    assertThat(report.figures)
        .flatExtracting(figure -> figure.systems().values())
        .allMatch(share -> share != null && share > 0.001 && share < 1000);
  }
}
