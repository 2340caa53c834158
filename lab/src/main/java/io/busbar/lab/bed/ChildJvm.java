package io.busbar.lab.bed;

import io.busbar.linux.NetworkNamespace;
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
import org.jspecify.annotations.Nullable;

/** The command for another JVM of this very runtime, with the same modules and classes. */
public final class ChildJvm {
  private ChildJvm() {}

  /** The command: options for that JVM, the class to run, and its arguments. */
  public static List<String> command(List<String> options, Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    addPath(command, "--module-path", "jdk.module.path");
    addPath(command, "--class-path", "java.class.path");
    String modules =
        ModuleLayer.boot().configuration().modules().stream()
            .filter(module -> !"jrt".equals(location(module).getScheme()))
            .map(ResolvedModule::name)
            .sorted()
            .collect(Collectors.joining(","));
    if (!modules.isEmpty()) {
      command.addAll(List.of("--add-modules", modules));
    }
    Module linux = NetworkNamespace.class.getModule();
    command.add("--illegal-native-access=deny");
    command.add("--enable-native-access=" + (linux.isNamed() ? linux.getName() : "ALL-UNNAMED"));
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

  private static void addPath(List<String> command, String option, String property) {
    String path = System.getProperty(property, "");
    if (!path.isEmpty()) {
      command.addAll(List.of(option, path));
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
