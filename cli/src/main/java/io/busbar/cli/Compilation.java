package io.busbar.cli;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.DiagnosticListener;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * A source file and what javac is told of it. It can be compiled any number of times, each time
 * without seeing some of {@link OpenMpiClasses}.
 *
 * @param source the file
 * @param options as the command takes them
 */
record Compilation(Path source, List<String> options) {
  private static final String AMBIGUOUS = "compiler.err.ref.ambiguous";

  /** One of two classes that a name may mean, as javac has it in English. */
  private static final Pattern OF_MPI = Pattern.compile("\\bmpi\\.\\w+(?= in mpi\\b)");

  /**
   * What came of it.
   *
   * @param clean whether it has no errors
   * @param main the binary name of its main class; null when it has none
   * @param said what javac has to say, as it always says it
   */
  record Outcome(boolean clean, @Nullable String main, String said) {}

  /** Compiles it as if some classes were not there. */
  Outcome run(Set<String> hidden) throws IOException {
    MainFinder finder = new MainFinder();
    StringWriter said = new StringWriter();
    boolean clean = run(hidden, said, finder, null);
    return new Outcome(clean, finder.found(), said.toString());
  }

  /** Of {@link OpenMpiClasses}, those whose names mean another class, too, so that it fails. */
  Set<String> ambiguous(Set<String> hidden) throws IOException {
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    boolean _ = run(hidden, new StringWriter(), new MainFinder(), found);
    Set<String> names = new HashSet<>();
    for (Diagnostic<? extends JavaFileObject> one : found.getDiagnostics()) {
      if (AMBIGUOUS.equals(one.getCode())) {
        Matcher name = OF_MPI.matcher(one.getMessage(Locale.ROOT));
        while (name.find()) {
          names.add(name.group());
        }
      }
    }
    names.retainAll(OpenMpiClasses.ALL);
    return names;
  }

  private boolean run(
      Set<String> hidden,
      StringWriter said,
      MainFinder finder,
      @Nullable DiagnosticListener<JavaFileObject> listener)
      throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new IllegalStateException(
          "%s holds no compiler: set JAVA_HOME to a JDK, not a JRE"
              .formatted(System.getProperty("java.home")));
    }
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      JavaCompiler.CompilationTask task =
          compiler.getTask(
              said,
              new FilesWithout(hidden, files),
              listener,
              options,
              null,
              files.getJavaFileObjects(source));
      task.setProcessors(List.of(finder));
      return task.call();
    }
  }
}
