package io.busbar.bench.contest;

import io.busbar.bench.Bench;
import io.busbar.lab.bed.TestBed;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an experiment runs on: two hosts with a cable between them or, for who has not the right to
 * make them, this machine alone; then it is told what was left out.
 */
public final class Hosts implements AutoCloseable {
  private final @Nullable TestBed bed;

  private Hosts(@Nullable TestBed bed) {
    this.bed = bed;
  }

  /** Makes them, as far as this process may. */
  public static Hosts open(Bench.Report report) {
    return open(report, TestBed.obstacle());
  }

  static Hosts open(Bench.Report report, String obstacle) {
    if (obstacle.isEmpty()) {
      return new Hosts(TestBed.pair());
    }
    report.missing("hosts", "all between two hosts was left out: " + obstacle);
    return new Hosts(null);
  }

  /** Two processes of one host. */
  public Scene shm() {
    return bed == null ? Scene.shm() : Scene.shm(bed);
  }

  /** All scenes that there are: on one host and, when there are two, between them. */
  public List<Scene> scenes() {
    List<Scene> scenes = new ArrayList<>(List.of(shm()));
    ifTwo(two -> scenes.add(Scene.udp(two)));
    return scenes;
  }

  /** Does what takes place between the two hosts, when there are two. */
  public void ifTwo(Consumer<TestBed> action) {
    if (bed != null) {
      action.accept(bed);
    }
  }

  @Override
  public void close() {
    if (bed != null) {
      bed.close();
    }
  }
}
