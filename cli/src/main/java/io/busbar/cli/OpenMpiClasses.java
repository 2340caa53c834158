package io.busbar.cli;

import java.util.Set;

/**
 * What package {@code mpi} has for programs of Open MPI alone. Programs of MPJ Express, which does
 * not have it, mean other classes by these names: {@code import mpi.*; import java.io.*;} and a
 * {@code File}. Freeable and UserFunction are not among them, because classes of both speak of
 * those.
 */
final class OpenMpiClasses {
  /** The package. */
  static final String PACKAGE = "mpi";

  /** Their binary names. */
  static final Set<String> ALL =
      Set.of(
          "mpi.CartComm",
          "mpi.Count",
          "mpi.DistGraphNeighbors",
          "mpi.DoubleComplex",
          "mpi.DoubleInt",
          "mpi.File",
          "mpi.FileView",
          "mpi.FloatComplex",
          "mpi.FloatInt",
          "mpi.GraphComm",
          "mpi.Info",
          "mpi.Int2",
          "mpi.LongInt",
          "mpi.Message",
          "mpi.ShortInt",
          "mpi.Struct",
          "mpi.Version",
          "mpi.Win");

  private OpenMpiClasses() {}

  /** Whether a file of classes, with its folders, is one of them. */
  static boolean isOne(String file) {
    String suffix = ".class";
    return file.endsWith(suffix)
        && ALL.contains(file.substring(0, file.length() - suffix.length()).replace('/', '.'));
  }
}
