package io.busbar.cli;

import io.busbar.lab.bed.ChildJvm;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    String inPackage = packageOf(source);
    boolean shares = SharedPackages.has(inPackage) || SharedPackages.areIn(libraries);
    List<String> options =
        new ArrayList<>(
            shares ? ChildJvm.visibleWithoutModules(libraries) : ChildJvm.visible(libraries));
    options.addAll(List.of("-d", classes.toString(), "-encoding", "UTF-8"));
    List<Path> sources = new ArrayList<>(List.of(root(source, inPackage)));
    sources.addAll(libraries);
    options.addAll(List.of("-sourcepath", ClassPath.text(sources), "-implicit:class"));
    Compilation.Outcome outcome = compile(new Compilation(source, options), inPackage);
    err.write(outcome.said());
    return new Compiled(outcome.clean(), outcome.main(), shares);
  }

  /**
   * A name that may mean a class of Open MPI or another one means the other one: programs of MPJ
   * Express say {@code import mpi.*; import java.io.*;}, and {@code File}. In package mpi itself,
   * where it means that of Open MPI first, it does so if all compiles then.
   */
  private static Compilation.Outcome compile(Compilation program, String inPackage)
      throws IOException {
    Set<String> hidden = new HashSet<>();
    Compilation.Outcome outcome = program.run(hidden);
    if (!outcome.clean() && inPackage.equals(OpenMpiClasses.PACKAGE)) {
      Compilation.Outcome without = program.run(OpenMpiClasses.ALL);
      return without.clean() ? without : outcome;
    }
    while (!outcome.clean()
        && outcome.said().contains(OpenMpiClasses.PACKAGE + ".")
        && hidden.addAll(program.ambiguous(hidden))) {
      outcome = program.run(hidden);
    }
    return outcome;
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
