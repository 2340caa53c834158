package io.busbar.cli;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Class paths as {@code java} reads them: folders, jars, and {@code folder/*} for all its jars. */
final class ClassPath {
  private static final Path ALL_JARS = Path.of("*");

  private ClassPath() {}

  /** The elements of a class path; an empty one is the working directory. */
  static List<Path> parse(String text) {
    return Arrays.stream(text.split(File.pathSeparator, -1))
        .map(element -> Path.of(element.isEmpty() ? "." : element))
        .toList();
  }

  /** The same as one text. */
  static String text(List<Path> path) {
    return path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** The file or folder that an element names. */
  static Path place(Path element) {
    if (!element.endsWith(ALL_JARS)) {
      return element;
    }
    return Objects.requireNonNullElse(element.getParent(), Path.of("."));
  }

  /** Whether a class is there, or in what the manifests of the jars name. */
  static boolean holds(List<Path> path, String className) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (Path element : path) {
      for (Path each : files(element)) {
        urls.add(each.toUri().toURL());
      }
    }
    try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), null)) {
      return loader.findResource(className.replace('.', '/') + ".class") != null;
    }
  }

  /** The folder or jar that an element names, or all jars. */
  static List<Path> files(Path element) throws IOException {
    Path folder = place(element);
    if (folder.equals(element) || !Files.isDirectory(folder)) {
      return List.of(element);
    }
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.{jar,JAR}")) {
      found.forEach(jars::add);
    }
    return jars;
  }
}
