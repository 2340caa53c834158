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
 * What a rank says of itself in a file that others read.
 *
 * @param beat grows while it says so
 * @param finalised whether MPI has ended there
 * @param waits what its threads wait for
 * @param busy threads of the program that run, or will after a while, and where they are
 */
public record RankState(long beat, boolean finalised, List<Wait> waits, List<String> busy) {
  private static final String WAIT = "wait\t";
  private static final String BUSY = "busy\t";

  private static Path file(Path folder, int rank) {
    return folder.resolve("rank-" + rank);
  }

  /** Writes it, so that who reads sees all of it or none. */
  void write(Path folder, int rank) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(beat).append('\n').append(finalised).append('\n');
    waits.forEach(wait -> text.append(WAIT).append(wait.toLine()).append('\n'));
    busy.forEach(one -> text.append(BUSY).append(one.replace('\n', ' ')).append('\n'));
    Path fresh = folder.resolve("rank-%d.new".formatted(rank));
    Files.writeString(fresh, text);
    Path _ = Files.move(fresh, file(folder, rank), StandardCopyOption.ATOMIC_MOVE);
  }

  /** What a rank has said last; null if it has said nothing yet. */
  public static @Nullable RankState read(Path folder, int rank) throws IOException {
    List<String> lines;
    try {
      lines = Files.readAllLines(file(folder, rank));
    } catch (NoSuchFileException e) {
      return null;
    }
    List<Wait> waits = new ArrayList<>();
    List<String> busy = new ArrayList<>();
    for (String line : lines.subList(2, lines.size())) {
      if (line.startsWith(WAIT)) {
        waits.add(Wait.read(line.substring(WAIT.length())));
      } else {
        busy.add(line.substring(BUSY.length()));
      }
    }
    return new RankState(
        Long.parseLong(lines.get(0)), Boolean.parseBoolean(lines.get(1)), waits, busy);
  }
}
