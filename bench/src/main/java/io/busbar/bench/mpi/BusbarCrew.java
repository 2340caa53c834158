package io.busbar.bench.mpi;

import io.busbar.bench.contest.Folder;
import io.busbar.lab.bed.ChildJvm;
import io.busbar.lab.bed.Host;
import io.busbar.lab.bed.HostProcess;
import io.busbar.node.Launchers;
import io.busbar.node.NodeConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/**
 * Busbar's ranks, told what {@code busbar run} tells processes: those of one host have a folder to
 * meet in, those of many have one of the hosts as a seed. How they wait is Busbar's own affair, and
 * the same with many ranks as with few.
 */
final class BusbarCrew implements Crew {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration END_PATIENCE = Duration.ofSeconds(8);
  private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-Xmx256m");

  private final Folder folder = Folder.inMemory();
  private final Host first;
  private final List<HostProcess> ranks = new ArrayList<>();

  private BusbarCrew(List<? extends Host> hosts, String fabric, boolean together) {
    first = hosts.getFirst();
    String job = "bench-" + UUID.randomUUID();
    for (int rank = 0; rank < hosts.size(); rank++) {
      List<String> command = new ArrayList<>(List.of("env"));
      Launchers.variables().forEach(name -> command.addAll(List.of("-u", name)));
      command.add(NodeConfig.RANK + "=" + rank);
      command.add(NodeConfig.SIZE + "=" + hosts.size());
      command.add(NodeConfig.JOB + "=" + job);
      command.add(NodeConfig.USED + "=" + fabric);
      command.add(
          together ? NodeConfig.MEETING + "=" + folder : NodeConfig.SEEDS + "=" + seed(hosts));
      command.addAll(ChildJvm.command(OPTIONS, Rank.class, List.of()));
      ranks.add(hosts.get(rank).start(command));
    }
    try {
      ranks.forEach(rank -> await(rank, "opened"));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private static String seed(List<? extends Host> hosts) {
    return hosts.getFirst().addressText();
  }

  /** A rank on each of these hosts. */
  static BusbarCrew between(List<? extends Host> hosts, String fabric) {
    return new BusbarCrew(hosts, fabric, false);
  }

  /** So many ranks on one host. */
  static BusbarCrew on(Host host, int ranks) {
    return new BusbarCrew(Collections.nCopies(ranks, host), "shm", true);
  }

  private static String await(HostProcess rank, String prefix) {
    return rank.awaitLine(line -> line.startsWith(prefix), PATIENCE);
  }

  @Override
  public Did run(Task task) {
    List<HostProcess> these = ranks.subList(0, task.ranks());
    these.forEach(rank -> rank.sendLine(task.line()));
    return these.stream()
        .map(rank -> Did.parse(await(rank, "took ")))
        .reduce(Did::with)
        .orElseThrow();
  }

  @Override
  public void settle() {
    ranks.forEach(rank -> rank.sendLine("settle"));
    ranks.forEach(rank -> await(rank, "settled"));
  }

  @Override
  public long sentBytes() {
    return first.sentBytes();
  }

  @Override
  public void close() {
    HostProcess.dismiss(ranks, "end", END_PATIENCE);
    folder.close();
  }
}
