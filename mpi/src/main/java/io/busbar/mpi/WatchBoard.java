package io.busbar.mpi;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Where the ranks of a job say what they wait for, so that the launcher sees it. */
public sealed interface WatchBoard {
  /** A line that is not the program's begins with this, and the word that was agreed on. */
  char MARK = 0x1e;

  /** Stands for the ends of lines within that one. */
  char WITHIN = 0x1f;

  /** A rank says something. */
  void post(int rank, RankState state) throws IOException;

  /** In a folder that rank and launcher see: what rank N said last is in file {@code rank-N}. */
  record Folder(Path folder) implements WatchBoard {
    @Override
    public void post(int rank, RankState state) throws IOException {
      state.write(folder, rank);
    }

    @Override
    public String toString() {
      return folder.toString();
    }
  }

  /**
   * Among what the program writes to standard error, where nothing else reaches the launcher: it
   * takes these lines out.
   *
   * @param word tells them from the program's
   */
  record Errors(String word) implements WatchBoard {
    private static final String PREFIX = "stderr:";

    @Override
    public void post(int rank, RankState state) throws IOException {
      byte[] line = (mark() + state.text(WITHIN) + '\n').getBytes(StandardCharsets.UTF_8);
      new FileOutputStream(FileDescriptor.err).write(line); // at once, or others would mix with it
    }

    /** What such a line begins with. */
    public String mark() {
      return MARK + word + WITHIN;
    }

    /** What a line says behind its mark. */
    public RankState read(String text) {
      return RankState.of(List.of(text.split(String.valueOf(WITHIN))));
    }

    @Override
    public String toString() {
      return PREFIX + word;
    }
  }

  /** As an environment names it. */
  static WatchBoard of(String text) {
    return text.startsWith(Errors.PREFIX)
        ? new Errors(text.substring(Errors.PREFIX.length()))
        : new Folder(Path.of(text));
  }
}
