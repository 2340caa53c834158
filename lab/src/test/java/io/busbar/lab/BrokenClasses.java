package io.busbar.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Loads the protocol rooms and the lab anew, with some methods changed. Nothing of them is shared
 * with the classes that the tests themselves see, and the rooms need no hook for it.
 */
public final class BrokenClasses extends ClassLoader {
  private static final List<String> ROOMS =
      List.of(
          "io.busbar.wire.",
          "io.busbar.fabric.",
          "io.busbar.transport.",
          "io.busbar.node.",
          "io.busbar.messages.",
          "io.busbar.lab.");

  private final List<Surgery> surgeries;

  /** With these changes. */
  public BrokenClasses(List<Surgery> surgeries) {
    super(BrokenClasses.class.getClassLoader());
    this.surgeries = surgeries;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (ROOMS.stream().noneMatch(name::startsWith)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? define(name) : known;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes = read(name);
    for (Surgery surgery : surgeries) {
      if (name.equals("io.busbar." + surgery.type())) {
        bytes = surgery.apply(bytes);
      }
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  private byte[] read(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every class that is to be changed exists, and every change finds its place. */
  public void loadAll() throws ClassNotFoundException {
    for (Surgery surgery : surgeries) {
      loadClass("io.busbar." + surgery.type());
    }
  }
}
