package io.busbar.cli;

import io.busbar.lab.bed.ChildJvm;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * What became of a source file.
 *
 * @param clean whether it has no errors
 * @param main the binary name of its main class; null when it has none
 * @param shares whether it, or a library, has classes in packages of Busbar
 */
record Compiled(boolean clean, @Nullable String main, boolean shares) {
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");

  private static final Pattern PACKAGE = Pattern.compile("^\\s*package\\s+([\\w.$]+)\\s*;");

  /**
   * Compiles one file, and what it needs of the other sources beside it, in the folders of their
   * packages, as {@code java} does. It sees what this JVM sees.
   *
   * @param libraries folders and jars of classes that it sees besides
   * @param classes the folder for its classes
   * @param err takes what javac has to say
   */
  static Compiled from(Path source, List<Path> libraries, Path classes, Writer err)
      throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new IllegalStateException(
          "%s holds no compiler: set JAVA_HOME to a JDK, not a JRE"
              .formatted(System.getProperty("java.home")));
    }
    String inPackage = packageOf(source);
    boolean shares = SharedPackages.has(inPackage) || SharedPackages.areIn(libraries);
    List<String> options =
        new ArrayList<>(
            shares ? ChildJvm.visibleWithoutModules(libraries) : ChildJvm.visible(libraries));
    options.addAll(List.of("-d", classes.toString(), "-encoding", "UTF-8"));
    List<Path> sources = new ArrayList<>(List.of(root(source, inPackage)));
    sources.addAll(libraries);
    options.addAll(List.of("-sourcepath", ClassPath.text(sources), "-implicit:class"));
    MainFinder finder = new MainFinder();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      JavaCompiler.CompilationTask task =
          compiler.getTask(err, files, null, options, null, files.getJavaFileObjects(source));
      task.setProcessors(List.of(finder));
      return new Compiled(task.call(), finder.found(), shares);
    }
  }

  /** As the source says; empty when it is in none. */
  private static String packageOf(Path source) throws IOException {
    String text = Files.readString(source, StandardCharsets.ISO_8859_1);
    Matcher named = PACKAGE.matcher(COMMENT.matcher(text).replaceAll(" "));
    return named.find() ? named.group(1) : "";
  }

  /** The folder in which the folders of packages are. */
  private static Path root(Path source, String inPackage) {
    Path folder = Objects.requireNonNullElse(source.toAbsolutePath().getParent(), Path.of("/"));
    Path inRoot = Path.of("", inPackage.split("\\.", -1));
    if (inPackage.isEmpty() || !folder.endsWith(inRoot)) {
      return folder;
    }
    Path root = folder;
    for (int i = 0; i < inRoot.getNameCount(); i++) {
      root = Objects.requireNonNull(root.getParent());
    }
    return root;
  }
}
