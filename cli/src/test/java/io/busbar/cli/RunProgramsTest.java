package io.busbar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Classes and jars run as source files do, with the libraries that they name. */
@Timeout(60)
class RunProgramsTest extends RunCase {
  private static final String MAIN =
      """
      package demo;

      import io.busbar.node.NodeConfig;

      public class Start {
        public static void main(String[] args) {
          NodeConfig config = NodeConfig.defaults();
          System.out.println(Library.greet(config.rank(), config.size(), args));
        }
      }
      """;

  private static final String LIBRARY =
      """
      package demo;

      public class Library {
        public static String greet(int rank, int size, String... words) {
          return rank + " of " + size + ": " + String.join("|", words);
        }
      }
      """;

  private static final String[] BOTH = {"[0] 0 of 2: a|-n|--help", "[1] 1 of 2: a|-n|--help"};

  private Path library = Path.of("");
  private Path main = Path.of("");

  @BeforeEach
  void compile() throws IOException {
    library = compiled("library", source("Library.java", LIBRARY), List.of());
    main = compiled("main", source("Start.java", MAIN), List.of(library));
  }

  private Path compiled(String name, Path source, List<Path> libraries) throws IOException {
    Path classes = Files.createDirectory(folder().resolve(name));
    StringWriter said = new StringWriter();
    assertThat(Compiled.from(source, libraries, classes, said).clean()).as(said + "").isTrue();
    return classes;
  }

  /** A jar of one class. */
  private Path jar(String name, String mainClass, String classPath, Path file) throws IOException {
    return jar(name, mainClass, classPath, file, "demo/");
  }

  private Path jar(String name, String mainClass, String classPath, Path file, String folder)
      throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (!mainClass.isEmpty()) {
      attributes.put(Attributes.Name.MAIN_CLASS, mainClass);
    }
    attributes.put(Attributes.Name.CLASS_PATH, classPath);
    Path jar = folder().resolve(name);
    try (OutputStream to = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(to, manifest)) {
      out.putNextEntry(new JarEntry(folder + file.getFileName()));
      out.write(Files.readAllBytes(file));
      out.closeEntry();
    }
    return jar;
  }

  private static final String IN_MPI =
      """
      package mpi;

      public class Own {
        public static void main(String[] args) {
          String[] rest = MPI.Init(args);
          System.out.println(place(MPI.COMM_WORLD) + " " + String.join("|", rest));
          MPI.Finalize();
        }

        static String place(Comm all) {
          return all.Rank() + " of " + all.Size();
        }
      }
      """;

  /** Parts of suites for MPJ Express are in its package. */
  @Test
  void programsMayBeInPackageMpi() throws Exception {
    String[] both = {"[0] 0 of 2 a|-x", "[1] 1 of 2 a|-x"};
    Path file = source("Own.java", IN_MPI);
    assertThat(run("-n", 2, "--label", file, "a", "-x")).as(err()).isZero();
    assertThat(out().lines()).containsExactlyInAnyOrder(both);
    Path classes = compiled("own", file, List.of());
    assertThat(run("-n", 2, "--label", "-cp", classes, "mpi.Own", "a", "-x")).as(err()).isZero();
    assertThat(out().lines()).hasSize(4).containsOnly(both);
    Path jar = jar("own.jar", "mpi.Own", "library.jar", classes.resolve("mpi/Own.class"), "mpi/");
    assertThat(run("-n", 2, "--label", "-jar", jar, "a", "-x")).as(err()).isZero();
    assertThat(out().lines()).hasSize(6).containsOnly(both);
    Path uses = source("Uses.java", "void main(String[] a) { mpi.Own.main(a); }");
    assertThat(run("-n", 2, "--label", "-cp", jar, uses, "a", "-x")).as(err()).isZero();
    assertThat(out().lines()).hasSize(8).containsOnly(both);
    assertThat(err()).isEmpty();
  }

  /** What is in a package comes before what is imported by wildcard: that must be theirs alone. */
  @Test
  void programsInPackageMpiSeeNothingElseThere() throws Exception {
    Path file =
        source(
            "Sorts.java",
            """
            package mpi;

            import java.util.*;

            public class Sorts {
              public static void main(String[] args) {
                String[] rest = MPI.Init(args);
                int[] mine = {3, 1, 2};
                Arrays.sort(mine);
                System.out.println(Arrays.toString(mine) + new Grid() + new Session() + new Keys());
                MPI.Finalize();
              }
            }

            class Grid {
              @Override
              public String toString() { return "grid"; }
            }

            class Session extends Grid {}

            class Keys extends Grid {}
            """);
    assertThat(run("-n", 2, file)).as(err()).isZero();
    assertThat(out()).isEqualTo("[1, 2, 3]gridgridgrid\n".repeat(2));
    assertThat(err()).isEmpty();
  }

  /** Suites have packages below that one, whose names are theirs. */
  @Test
  void programsMayBeInPackagesBelowMpi() throws Exception {
    Path below = Files.createDirectories(folder().resolve("mpi/pt2pt"));
    Path file =
        Files.writeString(
            below.resolve("Sends.java"),
            """
            package mpi.pt2pt;

            import mpi.*;

            public class Sends {
              public static void main(String[] args) throws MPIException {
                MPI.Init(args);
                System.out.println("got " + Swap.with(MPI.COMM_WORLD, MPI.COMM_WORLD.Rank()));
                MPI.Finalize();
              }
            }
            """);
    Path _ =
        Files.writeString(
            below.resolve("Swap.java"),
            """
            package mpi.pt2pt;

            import mpi.Comm;
            import mpi.MPI;

            class Swap {
              static int with(Comm all, int own) {
                int[] in = new int[1];
                int other = 1 - own;
                all.Sendrecv(new int[] {own}, 0, 1, MPI.INT, other, 5, in, 0, 1, MPI.INT, other, 5);
                return in[0];
              }
            }
            """);
    String[] both = {"got 1", "got 0"};
    assertThat(run("-n", 2, file)).as(err()).isZero();
    assertThat(out().lines()).containsExactlyInAnyOrder(both);
    Path classes = compiled("below", file, List.of());
    assertThat(run("-n", 2, "-cp", classes, "mpi.pt2pt.Sends")).as(err()).isZero();
    assertThat(out().lines()).hasSize(4).containsOnly(both);
    assertThat(err()).isEmpty();
  }

  /** The jar of the library that a program was compiled with is often still on its class path. */
  @Test
  void anotherLibraryForMpiIsPassedOver() throws Exception {
    Path other = Files.createDirectories(folder().resolve("other/mpi"));
    Files.writeString(other.resolve("MPI.class"), "no class");
    Files.writeString(other.resolve("Rest.class"), "no class");
    Path file =
        source(
            "Looks.java",
            "void main() { IO.println(mpi.MPI.class.getModule() + \" \" + mpi.MPI.ANY_SOURCE); }");
    assertThat(run("--label", "-cp", folder().resolve("other"), file)).as(err()).isZero();
    assertThat(out()).isEqualTo("[0] %s -2\n".formatted(mpi.MPI.class.getModule()));
  }

  private Path libraryJar() throws IOException {
    return jar("library.jar", "", "", library.resolve("demo/Library.class"));
  }

  @Test
  void classRunsFromClassPath() throws Exception {
    String path = main + ":" + library;
    assertThat(run("-n", 2, "--label", "-cp", path, "demo.Start", "a", "-n", "--help"))
        .as(err())
        .isZero();
    assertThat(out().lines()).containsExactlyInAnyOrder(BOTH);
  }

  @Test
  void folderOfJarsIsOneElement() throws Exception {
    Path jars = Files.createDirectory(folder().resolve("jars"));
    Files.move(libraryJar(), jars.resolve("library.jar"));
    assertThat(run("--class-path", main + ":" + jars + "/*", "demo.Start")).as(err()).isZero();
  }

  @Test
  void jarRunsWithWhatItNames() throws Exception {
    Path library = libraryJar();
    Path jar = jar("start.jar", "demo.Start", "library.jar", main.resolve("demo/Start.class"));
    assertThat(library).isRegularFile();
    assertThat(run("-n", 2, "--label", "-jar", jar, "a", "-n", "--help")).as(err()).isZero();
    assertThat(out().lines()).containsExactlyInAnyOrder(BOTH);
  }

  @Test
  void sourceSeesLibraries() throws Exception {
    Path file =
        source(
            "Uses.java",
            "void main(String[] args) { IO.println(demo.Library.greet(0, 1, args)); }");
    assertThat(run("--label", "-cp", libraryJar(), file, "a")).as(err()).isZero();
    assertThat(out()).isEqualTo("[0] 0 of 1: a\n");
    assertThat(run(file)).isEqualTo(1);
    assertThat(err()).contains("package demo does not exist");
  }

  @Test
  void whatIsMissingIsNamed() throws Exception {
    Path start = main.resolve("demo/Start.class");
    Path none = folder().resolve("none");
    assertThat(run("-cp", main, "demo.Stop")).isEqualTo(2);
    assertThat(err()).contains("there is no class demo.Stop in %s; give -cp".formatted(main));
    assertThat(run("-cp", none + ":" + main, "Start")).isEqualTo(2);
    assertThat(err())
        .contains(
            "no class Start in %s:%s, of which %s does not exist".formatted(none, main, none));
    assertThat(run("-jar", none)).isEqualTo(2);
    assertThat(err()).contains("there is no file %s; give the path of a jar".formatted(none));
    assertThat(run("-jar", main)).isEqualTo(2);
    assertThat(err()).contains(main + " is no file; give the path of a jar");
    assertThat(run("-jar", start)).isEqualTo(2);
    assertThat(err()).contains(start + " is no jar: ");
    Path library = libraryJar();
    assertThat(run("-jar", library)).isEqualTo(2);
    assertThat(err())
        .contains(
            "%s has no Main-Class in its manifest; name a class: -cp %s MAIN"
                .formatted(library, library));
    Path empty = jar("empty.jar", "demo.Stop", "library.jar", start);
    assertThat(run("-jar", empty)).isEqualTo(2);
    assertThat(err())
        .contains("the Main-Class of %s, demo.Stop, is neither in it".formatted(empty));
    assertThat(run("-cp", main, "-jar", library)).isEqualTo(2);
    assertThat(err()).contains("-cp does nothing beside -jar");
    assertThat(run(library)).isEqualTo(2);
    assertThat(err())
        .contains("library.jar is no Java source file; its name must end in .java, or");
    assertThat(out()).isEmpty();
  }
}
