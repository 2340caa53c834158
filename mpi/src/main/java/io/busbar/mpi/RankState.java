package io.busbar.mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a rank says of itself, in a file or a line that others read.
 *
 * @param beat grows while it says so
 * @param saidMs when it said so, by its own clock
 * @param finalised whether MPI has ended there
 * @param waits what its threads wait for
 * @param busy threads of the program that run, or will after a while, and where they are
 */
public record RankState(
    long beat, long saidMs, boolean finalised, List<Wait> waits, List<String> busy) {
  private static final String WAIT = "wait\t";
  private static final String BUSY = "busy\t";

  private static Path file(Path folder, int rank) {
    return folder.resolve("rank-" + rank);
  }

  /** In lines, which end with this character. */
  String text(char end) {
    StringBuilder text = new StringBuilder();
    text.append(beat).append(end).append(saidMs).append(end).append(finalised).append(end);
    waits.forEach(wait -> text.append(WAIT).append(wait.toLine()).append(end));
    busy.forEach(one -> text.append(BUSY).append(one.replace(end, ' ')).append(end));
    return text.toString();
  }

  /** What {@link #text} has made. */
  static RankState of(List<String> lines) {
    List<Wait> waits = new ArrayList<>();
    List<String> busy = new ArrayList<>();
    for (String line : lines.subList(3, lines.size())) {
      if (line.startsWith(WAIT)) {
        waits.add(Wait.read(line.substring(WAIT.length())));
      } else {
        busy.add(line.substring(BUSY.length()));
      }
    }
    return new RankState(
        Long.parseLong(lines.get(0)),
        Long.parseLong(lines.get(1)),
        Boolean.parseBoolean(lines.get(2)),
        waits,
        busy);
  }

  /** Writes it, so that who reads sees all of it or none. */
  public void write(Path folder, int rank) throws IOException {
    Path fresh = folder.resolve("rank-%d.new".formatted(rank));
    Files.writeString(fresh, text('\n'));
    Path _ = Files.move(fresh, file(folder, rank), StandardCopyOption.ATOMIC_MOVE);
  }

  /** What a rank has said last; null if it has said nothing yet. */
  public static @Nullable RankState read(Path folder, int rank) throws IOException {
    try {
      return of(Files.readAllLines(file(folder, rank)));
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
