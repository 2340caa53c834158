package io.busbar.cli;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipFile;

/**
 * The packages of Busbar in which programs for MPI have classes of their own. A package is in one
 * module, so such a program runs without modules.
 */
final class SharedPackages {
  private static final Set<String> NAMES = Set.of("mpi", "mpjbuf", "mpjdev", "xdev");

  /** In another library for MPI, which a program was compiled with; Busbar stands in for it. */
  private static final String OF_LIBRARY = "mpi/MPI.class";

  private SharedPackages() {}

  /** Whether a package is one of them. */
  static boolean has(String name) {
    return NAMES.contains(name);
  }

  /**
   * Whether a folder or a jar among these has classes in one of them, and is no library for MPI.
   */
  static boolean areIn(List<Path> path) throws IOException {
    for (Path element : path) {
      for (Path each : ClassPath.files(element)) {
        if (Files.isDirectory(each) ? isInFolder(each) : isInJar(each)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isInFolder(Path folder) throws IOException {
    if (Files.exists(folder.resolve(OF_LIBRARY))) {
      return false;
    }
    for (String name : NAMES) {
      Path inside = folder.resolve(name);
      if (Files.isDirectory(inside)) {
        try (DirectoryStream<Path> classes = Files.newDirectoryStream(inside, "*.class")) {
          if (classes.iterator().hasNext()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean isInJar(Path jar) {
    try (ZipFile file = new ZipFile(jar.toFile())) {
      return file.getEntry(OF_LIBRARY) == null
          && file.stream().anyMatch(entry -> isClassOfOne(entry.getName()));
    } catch (IOException e) {
      return false; // it is not there, or no jar: java passes over it, too
    }
  }

  private static boolean isClassOfOne(String entry) {
    int end = entry.lastIndexOf('/');
    return end > 0 && entry.endsWith(".class") && has(entry.substring(0, end));
  }
}
