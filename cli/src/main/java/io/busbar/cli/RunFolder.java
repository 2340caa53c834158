package io.busbar.cli;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one run has on disk, for the user alone: it goes with everything in it when closed. */
final class RunFolder implements AutoCloseable {
  private static final FileAttribute<Set<PosixFilePermission>> OWN =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path root;

  private RunFolder(Path root) {
    this.root = root;
  }

  /** Makes it among the temporary files, with its two folders. */
  static RunFolder create() throws IOException {
    RunFolder folder = new RunFolder(Files.createTempDirectory("busbar-run-", OWN));
    Files.createDirectory(folder.classes(), OWN);
    Files.createDirectory(folder.meeting(), OWN);
    return folder;
  }

  /** Where the program's classes are. */
  Path classes() {
    return root.resolve("classes");
  }

  /** Where its processes meet. */
  Path meeting() {
    return root.resolve("meeting");
  }

  /** Deletes all of it; may be called again. Links are deleted, never followed. */
  @Override
  public void close() throws IOException {
    Files.walkFileTree(root, new Deletion());
  }

  /** What somebody else deletes at the same time is no failure. */
  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
        throws IOException {
      if (e != null) {
        throw e;
      }
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
