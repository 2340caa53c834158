package io.busbar.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;

/** The files that a compilation sees, but for some classes of package {@code mpi}. */
final class FilesWithout extends ForwardingJavaFileManager<StandardJavaFileManager> {
  private final Set<String> hidden;

  /**
   * All that another one has, but these.
   *
   * @param hidden binary names
   */
  FilesWithout(Set<String> hidden, StandardJavaFileManager files) {
    super(files);
    this.hidden = hidden;
  }

  @Override
  public Iterable<JavaFileObject> list(
      Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse)
      throws IOException {
    Iterable<JavaFileObject> all = super.list(location, packageName, kinds, recurse);
    if (!packageName.equals(OpenMpiClasses.PACKAGE)) {
      return all;
    }
    List<JavaFileObject> seen = new ArrayList<>();
    for (JavaFileObject file : all) {
      if (file.getKind() != JavaFileObject.Kind.CLASS
          || !hidden.contains(inferBinaryName(location, file))) {
        seen.add(file);
      }
    }
    return seen;
  }
}
