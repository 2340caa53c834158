package io.busbar.cli;

import io.busbar.lab.bed.ChildJvm;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * What became of a source file.
 *
 * @param clean whether it has no errors
 * @param main the binary name of its main class; null when it has none
 */
record Compiled(boolean clean, @Nullable String main) {
  /**
   * Compiles one file, which sees what this JVM sees.
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
    List<String> options = new ArrayList<>(ChildJvm.visible(libraries));
    options.addAll(List.of("-d", classes.toString(), "-encoding", "UTF-8"));
    MainFinder finder = new MainFinder();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      JavaCompiler.CompilationTask task =
          compiler.getTask(err, files, null, options, null, files.getJavaFileObjects(source));
      task.setProcessors(List.of(finder));
      return new Compiled(task.call(), finder.found());
    }
  }
}
