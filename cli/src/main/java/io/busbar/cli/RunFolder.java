package io.busbar.cli;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.busbar.linux.MemoryFile;
import io.busbar.linux.OfdLock;
import io.busbar.linux.SystemCallException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
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

/**
 * What one run has on disk, for the user alone: it goes with everything in it when closed, and when
 * the next one is made if its launcher was killed.
 */
final class RunFolder implements AutoCloseable {
  private static final FileAttribute<Set<PosixFilePermission>> OWN =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final String PREFIX = "busbar-run-";

  private final Path root;
  private final MemoryFile life;

  private RunFolder(Path root) {
    this.root = root;
    this.life = MemoryFile.create(life(root));
  }

  /** Makes it in a folder, with its two folders; deletes there what killed launchers have left. */
  static RunFolder create(Path parent) throws IOException {
    RunFolder folder = new RunFolder(make(parent));
    OfdLock.exclusive(folder.life, 0, 1);
    folder.life.resize(1);
    Files.createDirectory(folder.classes(), OWN);
    Files.createDirectory(folder.meeting(), OWN);
    folder.sweep(parent);
    return folder;
  }

  private static Path make(Path parent) throws IOException {
    try {
      return Files.createTempDirectory(parent, PREFIX, OWN);
    } catch (IOException e) {
      throw new IOException(
          "cannot make a folder in %s: %s; BUSBAR_JAVA_OPTS=-Djava.io.tmpdir=DIR names another place"
              .formatted(parent, e),
          e);
    }
  }

  /** The file that a living launcher keeps locked; it is empty until it was locked once. */
  private static String life(Path root) {
    return root.resolve("life").toString();
  }

  private void sweep(Path parent) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path other : all) {
        try {
          if (isOwn(other) && isDead(other)) {
            Files.walkFileTree(other, new Deletion());
          }
        } catch (IOException | SystemCallException e) {
          // Just made, or somebody else deletes it now: leave it.
        }
      }
    }
  }

  /** Whether no other user can change it while it is deleted. */
  private boolean isOwn(Path other) throws IOException {
    return Files.isDirectory(other, NOFOLLOW_LINKS)
        && Files.getOwner(other, NOFOLLOW_LINKS).equals(Files.getOwner(root));
  }

  private static boolean isDead(Path other) {
    try (MemoryFile file = MemoryFile.open(life(other))) {
      return file.size() == 1 && !OfdLock.isHeld(file, 0, 1);
    }
  }

  /** Where the program's classes are. */
  Path classes() {
    return root.resolve("classes");
  }

  /** Where its processes meet. */
  Path meeting() {
    return root.resolve("meeting");
  }

  /** Where they say what they wait for. */
  Path watch() throws IOException {
    return Files.createDirectories(root.resolve("watch"), OWN);
  }

  /** Deletes all of it; may be called again. Links are deleted, never followed. */
  @Override
  public void close() throws IOException {
    try (life) {
      Files.walkFileTree(root, new Deletion());
    } catch (IOException e) {
      throw new IOException("cannot delete %s: %s; delete it by hand".formatted(root, e), e);
    }
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
