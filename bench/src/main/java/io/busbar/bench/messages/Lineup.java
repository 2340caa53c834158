package io.busbar.bench.messages;

import io.busbar.bench.Aim;
import io.busbar.bench.Bench;
import io.busbar.bench.contest.Contest;
import io.busbar.bench.contest.Hosts;
import io.busbar.bench.contest.PeerSetups;
import io.busbar.bench.contest.Scene;
import io.busbar.bench.crowd.Crowd;
import io.busbar.lab.bed.TestBed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who stands beside Fast Messages: the bare fabric below them, and what a program has instead. */
final class Lineup {
  private static final List<String> SLOW =
      List.of("udp-nio", "netty-epoll", "jgroups", "mpj-express");

  private Lineup() {}

  /** Between two processes of one host. */
  static Contest shm(Bench bench, Bench.Report report, Hosts hosts, boolean quick) {
    notePeers(report, false, quick);
    report.note(
        "aeron",
        "1.51 over ipc; one embedded driver, invoked by the asking thread when a window is full;"
            + " exclusive publications, terms of 8 MB, no bounds checks");
    Contest contest =
        new Contest(bench, report, hosts.shm(), quick)
            .enter("busbar", "messages-shm")
            .enter("floor", "bare-ring")
            .enter("aeron", "aeron-ipc")
            .enter("tcp-nio", "tcp-nio")
            .enter("open-mpi", "mpi-open")
            .enter("mpich", "mpi-mpich");
    return quick ? contest : enterSlow(contest);
  }

  /** Between two hosts, over a cable. */
  static Contest udp(Bench bench, Bench.Report report, TestBed bed, boolean quick) {
    notePeers(report, true, quick);
    report.note("cables", "whatever runs over TCP has a veth pair of its own");
    noteAeronOverUdp(report);
    Contest contest =
        new Contest(bench, report, Scene.udp(bed), quick)
            .enter("busbar", "messages-udp")
            .enter("floor", "bare-udp")
            .enter("aeron", "aeron-udp")
            .enter("tcp-nio", "tcp-nio")
            .enter("open-mpi", "mpi-open")
            .enter("mpich", "mpi-mpich");
    return quick ? contest : enterSlow(contest);
  }

  /** Between two hosts, over raw Ethernet: {@code packet} or {@code xdp}. */
  static Contest ether(
      Bench bench, Bench.Report report, TestBed bed, String fabric, boolean quick) {
    return new Contest(bench, report, Scene.udp(bed).named(fabric), quick)
        .enter("busbar", "messages-" + fabric)
        .enter("floor", "bare-" + fabric)
        .enter("tcp-nio", "tcp-nio")
        .connect();
  }

  /** What is aimed at with 64 bytes there. */
  static List<Aim> etherAims(String fabric) {
    List<Aim> aims = new ArrayList<>(List.of(Aim.atMost(1.25, "floor")));
    if (fabric.equals("xdp")) {
      aims.add(Aim.atMost(0.5, "tcp-nio"));
    }
    return aims;
  }

  /** All hosts of a bed but the last one send to it. */
  static Crowd crowd(TestBed bed, int senders) {
    return new Crowd(bed, senders + 1)
        .enter("busbar", "messages")
        .enter("tcp-nio", "tcp")
        .connect();
  }

  /** Those that take their time to warm up, and beside whom nothing is aimed at. */
  private static Contest enterSlow(Contest contest) {
    return contest
        .enter("udp-nio", "udp-nio")
        .enter("netty-epoll", "netty-epoll")
        .enter("jgroups", "jgroups-tcp")
        .enter("mpj-express", "mpj-express");
  }

  /** How the others are set up. */
  private static void notePeers(Bench.Report report, boolean betweenHosts, boolean quick) {
    Map<String, String> setups = new LinkedHashMap<>(PeerSetups.all(betweenHosts));
    if (quick) {
      setups.keySet().removeAll(SLOW);
      report.note("quick", "a full run has %s, too".formatted(String.join(", ", SLOW)));
    }
    setups.forEach(report::note);
  }

  /** How Aeron is set up there. */
  static void noteAeronOverUdp(Bench.Report report) {
    report.note(
        "aeron",
        "1.51 over udp; each process invokes an embedded driver on the thread that sends and"
            + " receives; exclusive publications, terms of 8 MB, window 1 MB, MTU 1472");
  }
}
