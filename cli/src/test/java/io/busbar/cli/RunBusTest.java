package io.busbar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.lab.bed.TestBed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks on hosts of their own, started by the launcher, whose broadcasts go by the bus. */
@Timeout(90)
class RunBusTest extends RunCase {
  private static final int HOSTS = 4;
  private static final int COUNT = 2_000;
  private static final int BYTES = 1_024;

  private static final String PROGRAM =
      """
      import mpi.*;

      class Casts {
        public static void main(String[] args) throws Exception {
          MPI.Init(args);
          int rank = MPI.COMM_WORLD.getRank();
          int count = Integer.parseInt(args[0]);
          byte[] bytes = new byte[Integer.parseInt(args[1])];
          int restMs = Integer.parseInt(args[2]);
          int size = MPI.COMM_WORLD.getSize();
          for (int i = 0; i < count; i++) {
            if (i == count / 4 && rank == 2) {
              Thread.sleep(restMs);
            }
            java.util.Arrays.fill(bytes, rank == 0 ? (byte) i : -1);
            MPI.COMM_WORLD.bcast(bytes, bytes.length, MPI.BYTE, 0);
            if (bytes[0] != (byte) i || bytes[bytes.length - 1] != (byte) i) {
              throw new IllegalStateException(rank + ": " + bytes[0] + " instead of " + i);
            }
          }
          MPI.COMM_WORLD.barrier();
          int[] turn = new int[1];
          for (int i = 0; i < 10 * size; i++) {
            turn[0] += rank == i % size ? 1 : 0;
            MPI.COMM_WORLD.bcast(turn, 1, MPI.INT, i % size);
          }
          System.out.println(turn[0]);
          MPI.Finalize();
        }
      }
      """;

  private Path ssh(TestBed bed) throws IOException {
    StringBuilder cases = new StringBuilder("#!/bin/sh\nhost=$1\nshift\ncase $host in\n");
    for (int i = 0; i < HOSTS; i++) {
      cases.append(address(bed, i)).append(") name=").append(bed.host(i).name()).append(" ;;\n");
    }
    Path script = source("ssh", cases + "esac\nexec ip netns exec $name sh -c \"$*\"\n");
    return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
  }

  private static String address(TestBed bed, int host) {
    return bed.host(host).address4().getHostAddress();
  }

  private static String hosts(TestBed bed) {
    return IntStream.range(0, HOSTS)
        .mapToObj(i -> address(bed, i))
        .collect(Collectors.joining(","));
  }

  /** Bytes that the root's host has sent. */
  private long sent(String fabric, int restMs) throws IOException {
    return sent(fabric, restMs, true);
  }

  private long sent(String fabric, int restMs, boolean groupsReach) throws IOException {
    Path file = source("Casts.java", PROGRAM);
    try (TestBed bed = TestBed.create(HOSTS)) {
      if (!groupsReach) {
        bed.hosts().forEach(bed::loseGroups);
      }
      int code =
          run(
              "--ssh",
              ssh(bed),
              "--hosts",
              hosts(bed),
              "--fabric",
              fabric,
              "--label",
              file,
              COUNT,
              BYTES,
              restMs);
      assertThat(code).as(err()).isZero();
      assertThat(out().lines())
          .containsExactlyInAnyOrder(
              IntStream.range(0, HOSTS).mapToObj("[%d] 40"::formatted).toArray(String[]::new));
      return bed.host(0).sentBytes();
    }
  }

  /** By a tree the root would send each of them twice, and by itself three times. */
  @Test
  void rootSendsOnceForAll() throws Exception {
    assertThat(sent("packet", 0)).isBetween((long) COUNT * BYTES, COUNT * BYTES * 3L / 2);
  }

  /** A rank that computes for longer than members of a cluster may is not given up. */
  @Tag("long")
  @Test
  void rankThatComputesForLongIsWaitedFor() throws Exception {
    assertThat(sent("packet", 12_000)).isBetween((long) COUNT * BYTES, COUNT * BYTES * 3L / 2);
  }

  /** On one segment the group of those who find each other reaches all. */
  @Tag("long")
  @Test
  void rootSendsOnceForTheGroup() throws Exception {
    assertThat(sent("udp", 0)).isBetween((long) COUNT * BYTES, COUNT * BYTES * 3L / 2);
  }

  /** Where nothing reaches all at once, there is a tree. */
  @Tag("long")
  @Test
  void treeServesWhereEachMustBeTold() throws Exception {
    assertThat(sent("udp", 0, false)).isGreaterThan(COUNT * BYTES * 3L / 2);
  }
}
