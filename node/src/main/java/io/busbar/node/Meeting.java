package io.busbar.node;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Where the processes of one job tell each other where they are: a folder that all of them see,
 * with a file for each rank. A file appears whole or not at all.
 */
final class Meeting {
  private static final long LOOK_NS = 1_000_000;

  private final Path folder;
  private final int size;

  /**
   * A meeting of so many.
   *
   * @param folder exists, is empty at first, and belongs to this job alone
   */
  Meeting(Path folder, int size) {
    this.folder = folder;
    this.size = size;
  }

  private Path file(int rank) {
    return folder.resolve("rank-" + rank);
  }

  private Path readiness(int rank) {
    return folder.resolve("ready-" + rank);
  }

  /**
   * Tells the others about one rank, in lines. Of several who are one rank, at whatever moment, one
   * is; a process that died on its way here was it.
   *
   * @throws NodeException when somebody was that rank before: the others know him, and go on to
   */
  void publish(int rank, List<String> lines) {
    Path draft = folder.resolve(".rank-" + rank);
    try {
      // Who makes the draft holds the rank until the draft is the file; then the file holds it.
      Files.write(draft, lines, StandardCharsets.UTF_8, CREATE_NEW, WRITE);
      if (Files.exists(file(rank))) {
        Files.delete(draft);
        throw isTaken(rank);
      }
      Files.move(draft, file(rank), StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException e) {
      throw isTaken(rank);
    } catch (IOException e) {
      throw new NodeException(
          "cannot tell the others in %s where rank %d is: %s".formatted(folder, rank, e), e);
    }
  }

  private NodeException isTaken(int rank) {
    return new NodeException(
        "there was a rank %d in %s before, and nobody can take its place: start the job anew, in an empty folder"
            .formatted(rank, folder));
  }

  /**
   * What all ranks have told, by rank; waits for those that have not yet.
   *
   * @throws NodeException when some have not in time; it names them
   */
  List<List<String>> await(long patienceNs) throws InterruptedException {
    awaitAll(this::file, patienceNs);
    return readAll();
  }

  /** Tells the others that a rank knows all of them. */
  void ready(int rank) {
    try {
      Files.createFile(readiness(rank));
    } catch (IOException e) {
      throw new NodeException(
          "cannot tell the others in %s that rank %d is ready: %s".formatted(folder, rank, e), e);
    }
  }

  /** Waits until all ranks know all of them. */
  void awaitReady(long patienceNs) throws InterruptedException {
    awaitAll(this::readiness, patienceNs);
  }

  private void awaitAll(IntFunction<Path> of, long patienceNs) throws InterruptedException {
    long startNs = System.nanoTime();
    List<Integer> missing = missing(of);
    while (!missing.isEmpty()) {
      if (System.nanoTime() - startNs > patienceNs) {
        throw new NodeException(
            "of %d processes, rank %s did not come to %s within %d s: look at their output, or wait longer"
                .formatted(size, missing, folder, TimeUnit.NANOSECONDS.toSeconds(patienceNs)));
      }
      TimeUnit.NANOSECONDS.sleep(LOOK_NS);
      missing = missing(of);
    }
  }

  private List<Integer> missing(IntFunction<Path> of) {
    List<Integer> missing = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      if (!Files.exists(of.apply(rank))) {
        missing.add(rank);
      }
    }
    return missing;
  }

  private List<List<String>> readAll() {
    List<List<String>> all = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      try {
        all.add(Files.readAllLines(file(rank), StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new NodeException("cannot read where rank %d is: %s".formatted(rank, e), e);
      }
    }
    return all;
  }
}
