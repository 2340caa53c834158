package io.busbar.cli;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassFile;
import java.lang.module.ModuleReader;
import java.lang.module.ResolvedModule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code busbar jar}: what programs of MPI are compiled and run with, as one file. */
@Command(
    name = "jar",
    mixinStandardHelpOptions = true,
    description = {
      "Writes one jar with package mpi and all that it stands on: programs compile against it, and",
      "run with it under any launcher that runs java.",
      ""
    },
    footer = {
      "",
      "Exit codes: 0 it was written; 1 it cannot be; 2 wrong use.",
      "",
      "MPJ Express has no mpi.File, and no mpi.Struct: where its programs say",
      "import mpi.*; import java.io.*; and File, javac does not know which one is meant.",
      "In a jar that is made with --mpj such classes are not public, and programs of MPJ",
      "Express compile with it as they are; all programs run with it.",
      "",
      "Examples:",
      "  ./busbar jar busbar-mpi.jar",
      "  ./busbar jar --mpj busbar-mpj.jar",
      "  javac -cp busbar-mpi.jar Program.java",
      "  BUSBAR_JOB=$$ mpirun -x BUSBAR_JOB -n 4 \\",
      "    java --enable-native-access=ALL-UNNAMED -cp busbar-mpi.jar:. Program"
    })
final class JarCommand implements Callable<Integer> {
  private static final String ROOM = "io.busbar.mpi";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "Where to write it (default: ${DEFAULT-VALUE}).")
  private Path file = Path.of("busbar-mpi.jar");

  @Option(
      names = "--mpj",
      description = "For programs of MPJ Express: what only Open MPI has is hidden from javac.")
  private boolean mpj;

  @Override
  public Integer call() throws IOException {
    Path made = Files.createTempFile(file.toAbsolutePath().getParent(), ".busbar", ".jar");
    try {
      write(made);
      Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(made, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      boolean _ = Files.deleteIfExists(made);
    }
    return 0;
  }

  private void write(Path to) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_TITLE, "Busbar MPI");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(to), manifest)) {
      for (ResolvedModule module : rooms()) {
        add(module, out);
      }
    }
  }

  /** The room and those it stands on, without the JDK, in the order of their names. */
  private static List<ResolvedModule> rooms() {
    Map<String, ResolvedModule> found = new TreeMap<>();
    find(ModuleLayer.boot().configuration().findModule(ROOM).orElseThrow(), found, new HashSet<>());
    return List.copyOf(found.values());
  }

  private static void find(
      ResolvedModule module, Map<String, ResolvedModule> found, Set<String> seen) {
    boolean isOfJdk =
        module.reference().location().map(at -> "jrt".equals(at.getScheme())).orElse(true);
    if (!isOfJdk && seen.add(module.name())) {
      found.put(module.name(), module);
      module.reads().forEach(read -> find(read, found, seen));
    }
  }

  private void add(ResolvedModule module, JarOutputStream out) throws IOException {
    try (ModuleReader reader = module.reference().open();
        Stream<String> names = reader.list()) {
      for (String name : names.sorted().toList()) {
        if (isWanted(name)) {
          JarEntry entry = new JarEntry(name);
          entry.setTime(0);
          out.putNextEntry(entry);
          try (InputStream in = reader.open(name).orElseThrow()) {
            byte[] bytes = in.readAllBytes();
            out.write(mpj && OpenMpiClasses.isOne(name) ? notPublic(bytes) : bytes);
          }
          out.closeEntry();
        }
      }
    }
  }

  /** A class that only its own package sees, which {@code import mpi.*} passes over. */
  private static byte[] notPublic(byte[] compiled) {
    ClassFile format = ClassFile.of();
    return format.transformClass(
        format.parse(compiled),
        (made, element) -> {
          if (element instanceof AccessFlags flags) {
            made.withFlags(flags.flagsMask() & ~ClassFile.ACC_PUBLIC);
          } else {
            made.with(element);
          }
        });
  }

  /** On the class path there are no modules, and the jar has a manifest of its own. */
  private static boolean isWanted(String name) {
    return !name.endsWith("/") && !name.equals("module-info.class") && !name.startsWith("META-INF");
  }
}
