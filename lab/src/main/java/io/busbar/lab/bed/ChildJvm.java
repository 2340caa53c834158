package io.busbar.lab.bed;

import io.busbar.linux.NetworkNamespace;
import java.io.File;
import java.lang.module.ModuleReference;
import java.lang.module.ResolvedModule;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The command for another JVM of this very runtime, with the same modules and classes. */
public final class ChildJvm {
  private static final String UNNAMED = "ALL-UNNAMED";

  private ChildJvm() {}

  /** The command: options for that JVM, the class to run, and its arguments. */
  public static List<String> command(List<String> options, Class<?> main, List<String> arguments) {
    List<String> command = java(visible(List.of()), nativeRoom());
    Module module = main.getModule();
    Path patch = patchOf(main);
    if (patch != null) {
      command.addAll(List.of("--patch-module", module.getName() + "=" + patch));
      command.addAll(List.of("--add-reads", module.getName() + "=ALL-UNNAMED"));
    }
    command.addAll(options);
    if (module.isNamed()) {
      command.addAll(List.of("--module", module.getName() + "/" + main.getName()));
    } else {
      command.add(main.getName());
    }
    command.addAll(arguments);
    return command;
  }

  /** The same in short, as failures name it. */
  static String words(Class<?> main, List<String> arguments) {
    return "java %s %s".formatted(main.getSimpleName(), String.join(" ", arguments)).strip();
  }

  /**
   * The command for a program that this JVM does not know. It may call native code; of Busbar, only
   * the room may that makes system calls.
   *
   * @param classes folders and jars of its classes; searched before the class path
   * @param program its main class, or {@code -jar} and a file, and its arguments
   */
  public static List<String> command(
      List<String> options, List<Path> classes, List<String> program) {
    return joined(java(visible(classes), nativeRooms()), options, program);
  }

  /** The same for classes in packages that modules of this JVM have, too: there are no modules. */
  public static List<String> commandWithoutModules(
      List<String> options, List<Path> classes, List<String> program) {
    return joined(java(visibleWithoutModules(classes), UNNAMED), options, program);
  }

  private static List<String> joined(
      List<String> java, List<String> options, List<String> program) {
    List<String> command = new ArrayList<>(java);
    command.addAll(options);
    command.addAll(program);
    return command;
  }

  private static List<String> java(List<String> visible, String nativeRooms) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(visible);
    command.add("--illegal-native-access=deny");
    command.add("--enable-native-access=" + nativeRooms);
    return command;
  }

  /** Who makes system calls. */
  private static String nativeRoom() {
    Module linux = NetworkNamespace.class.getModule();
    return linux.isNamed() ? linux.getName() : UNNAMED;
  }

  /** The same, and programs: those are in no module. */
  private static String nativeRooms() {
    String room = nativeRoom();
    return room.equals(UNNAMED) ? room : room + "," + UNNAMED;
  }

  /**
   * The options, for {@code java} and {@code javac} alike, that let see the modules and classes of
   * this JVM, and these folders and jars of classes before them.
   */
  public static List<String> visible(List<Path> classes) {
    List<String> options = new ArrayList<>();
    add(options, "--module-path", System.getProperty("jdk.module.path", ""));
    Stream<String> own = Stream.of(System.getProperty("java.class.path", ""));
    add(
        options,
        "--class-path",
        Stream.concat(classes.stream().map(Path::toString), own)
            .filter(path -> !path.isEmpty())
            .collect(Collectors.joining(File.pathSeparator)));
    add(
        options,
        "--add-modules",
        ModuleLayer.boot().configuration().modules().stream()
            .filter(module -> !"jrt".equals(location(module).getScheme()))
            .map(ResolvedModule::name)
            .sorted()
            .collect(Collectors.joining(",")));
    return options;
  }

  /**
   * The same with all on the class path, what this JVM sees first: a package of its modules may go
   * on in these folders and jars.
   */
  public static List<String> visibleWithoutModules(List<Path> classes) {
    Stream<String> modules =
        ModuleLayer.boot().configuration().modules().stream()
            .map(ChildJvm::location)
            .filter(location -> "file".equals(location.getScheme()))
            .map(location -> Path.of(location).toString())
            .sorted();
    Stream<String> own = Stream.of(System.getProperty("java.class.path", ""));
    List<String> options = new ArrayList<>();
    add(
        options,
        "--class-path",
        Stream.of(modules, own, classes.stream().map(Path::toString))
            .flatMap(paths -> paths)
            .filter(path -> !path.isEmpty())
            .collect(Collectors.joining(File.pathSeparator)));
    return options;
  }

  private static void add(List<String> options, String option, String value) {
    if (!value.isEmpty()) {
      options.addAll(List.of(option, value));
    }
  }

  /** The folder from which a class was patched into its module, as test classes are. */
  private static @Nullable Path patchOf(Class<?> main) {
    Module module = main.getModule();
    String file = "/" + main.getName().replace('.', '/') + ".class";
    URL found = Objects.requireNonNull(main.getResource(file), file);
    if (!module.isNamed() || !"file".equals(found.getProtocol())) {
      return null;
    }
    try {
      Path folder = Path.of(found.toURI());
      for (int i = 0; i < Path.of(file).getNameCount(); i++) {
        folder = Objects.requireNonNull(folder.getParent());
      }
      Optional<ResolvedModule> home =
          ModuleLayer.boot().configuration().findModule(module.getName());
      return folder.equals(Path.of(location(home.orElseThrow()))) ? null : folder;
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static URI location(ResolvedModule module) {
    ModuleReference reference = module.reference();
    return reference.location().orElse(URI.create("jrt:/" + module.name()));
  }
}
