package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is not here exists, compiles, and refuses by its name. */
class RefusalsTest {
  private static final Set<String> OF_PROCESSES =
      Set.of(
          "openPort",
          "closePort",
          "accept",
          "connect",
          "publishName",
          "unpublishName",
          "lookupName",
          "spawn",
          "spawnMultiple");

  private static Object[] arguments(Executable of) {
    return Arrays.stream(of.getParameterTypes()).map(RefusalsTest::nothing).toArray();
  }

  private static Object nothing(Class<?> type) {
    if (type == int.class) {
      return 0;
    }
    if (type == long.class) {
      return 0L;
    }
    return type == boolean.class ? false : null;
  }

  private interface Call {
    Object run() throws ReflectiveOperationException;
  }

  private static void refuses(String name, Call call) throws ReflectiveOperationException {
    Throwable why = null;
    try {
      Object _ = call.run();
    } catch (InvocationTargetException e) {
      why = e.getCause();
    }
    assertThat(why).as(name).isInstanceOf(MPIException.class).hasMessageStartingWith(name + ": ");
    assertThat(((MPIException) why).getErrorClass()).isEqualTo(MPI.ERR_UNSUPPORTED_OPERATION);
  }

  @Test
  void windowsAndFilesCannotBeMade() throws Exception {
    for (Class<?> type : List.of(Win.class, File.class)) {
      for (Constructor<?> one : type.getConstructors()) {
        refuses(type.getSimpleName() + "." + type.getSimpleName(), () -> made(one));
      }
    }
  }

  private static Object made(Constructor<?> one) throws ReflectiveOperationException {
    return one.newInstance(arguments(one));
  }

  @Test
  void staticCallsOfWindowsAndFilesRefuse() throws Exception {
    int refused = 0;
    for (Class<?> type : List.of(Win.class, File.class)) {
      for (Method one : type.getDeclaredMethods()) {
        int modifiers = one.getModifiers();
        if (Modifier.isStatic(modifiers) && Modifier.isPublic(modifiers)) {
          refuses(
              type.getSimpleName() + "." + one.getName(), () -> one.invoke(null, arguments(one)));
          refused++;
        }
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void portsAndSpawningRefuse() throws Exception {
    int refused = 0;
    for (Method one : Intracomm.class.getMethods()) {
      if (OF_PROCESSES.contains(one.getName())) {
        refuses("Intracomm." + one.getName(), () -> one.invoke(MPI.COMM_WORLD, arguments(one)));
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(OF_PROCESSES.size());
  }
}
