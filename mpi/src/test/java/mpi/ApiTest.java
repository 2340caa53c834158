package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every public member of both families is there, with its types. */
class ApiTest {
  /** Internals of MPJ Express: what they speak of is not part of the interface. */
  private static final Set<String> INTERNALS =
      Set.of(
          "Comm.mpjdevComm",
          "Comm.PendingMessage.queue_size",
          "Group.code",
          "Group.mpjdevGroup",
          "Op.opCode",
          "Request.req",
          "Datatype.getByteSize",
          "Datatype.finalize",
          "Group.finalize",
          "Op.finalize",
          "Request.finalize");

  private static final Pattern METHOD =
      Pattern.compile("([\\w.]+)\\.(<init>|\\w+)\\((.*?)\\)(?::([^ ]+(?: extends Data> T)?))?(.*)");

  private static List<String> lines(String name) throws IOException {
    try (InputStream in =
            Objects.requireNonNull(ApiTest.class.getResourceAsStream("/api/" + name));
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.isBlank()).toList();
    }
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName("mpi." + name.replace('.', '$'));
  }

  private static String simple(Class<?> type) {
    return type.getSimpleName();
  }

  private static String plain(String type) {
    return type.replaceFirst("^mpi\\.", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mpijava-1.2-methods.txt", "openmpi-java-methods.txt"})
  void methodsAreThere(String list) throws Exception {
    List<String> missing = new ArrayList<>();
    int checked = 0;
    for (String line : lines(list)) {
      Matcher m = METHOD.matcher(line);
      assertThat(m.matches()).as(line).isTrue();
      boolean isInternal =
          INTERNALS.contains(m.group(1) + "." + m.group(2)) || m.group(3).contains("mpjdev.");
      if (!isInternal) {
        checked++;
        if (!isThere(m)) {
          missing.add(line);
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(checked).isGreaterThan(100);
  }

  private static boolean isThere(Matcher m) {
    String parameters =
        Arrays.stream(m.group(3).split(",", -1))
            .map(ApiTest::plain)
            .map(name -> name.replace("mpjbuf.", ""))
            .collect(Collectors.joining(","));
    try {
      Class<?> owner = type(m.group(1));
      if (m.group(2).equals("<init>")) {
        return Arrays.stream(owner.getConstructors())
            .anyMatch(one -> parameters(one).equals(parameters));
      }
      return Arrays.stream(owner.getMethods())
          .filter(one -> one.getName().equals(m.group(2)))
          .filter(one -> parameters(one).equals(parameters))
          .anyMatch(one -> returns(one, m.group(4), m.group(5)));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static String parameters(Constructor<?> one) {
    return Arrays.stream(one.getParameterTypes())
        .map(ApiTest::simple)
        .collect(Collectors.joining(","));
  }

  private static String parameters(Method one) {
    return Arrays.stream(one.getParameterTypes())
        .map(ApiTest::simple)
        .collect(Collectors.joining(","));
  }

  /** A more special type will do, and so will one where nothing was wanted. */
  private static boolean returns(Method one, String type, String rest) {
    boolean isStatic = Modifier.isStatic(one.getModifiers());
    boolean isSame =
        type.startsWith("<")
            || type.equals("Object")
            || type.equals("void")
            || simple(one.getReturnType()).equals(plain(type));
    return isSame && isStatic == rest.contains("[static]");
  }

  /** So they stand in the way of no class of a program in this package, nor of one it imports. */
  @Test
  void otherClassesHaveNamesThatNoProgramUses() throws Exception {
    Path folder = Path.of(MPI.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> others = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder.resolve("mpi"))) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString().replace(".class", "");
        boolean isTopLevel = !name.contains("$") && !name.equals("package-info");
        if (isTopLevel && !Modifier.isPublic(type(name).getModifiers())) {
          others.add(name);
        }
      }
    }
    assertThat(others).isNotEmpty().allMatch(name -> name.startsWith("Busbar"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mpijava-1.2-fields.txt", "openmpi-java-fields.txt"})
  void fieldsAreThere(String list) throws Exception {
    List<String> missing = new ArrayList<>();
    for (String line : lines(list)) {
      String name = line.substring(0, line.indexOf(':'));
      String type = line.substring(line.indexOf(':') + 1).split(" ", 2)[0];
      if (!INTERNALS.contains(name) && !isThere(name, plain(type))) {
        missing.add(line);
      }
    }
    assertThat(missing).isEmpty();
  }

  private static boolean isThere(String name, String type) {
    try {
      Class<?> owner = type(name.substring(0, name.lastIndexOf('.')));
      Field field = owner.getField(name.substring(name.lastIndexOf('.') + 1));
      return simple(field.getType()).equals(type)
          || (type.equals("Comm") && Comm.class.isAssignableFrom(field.getType()));
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }
}
