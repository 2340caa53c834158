package io.busbar.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Loads the classes of some packages anew, with some methods changed. Nothing of them is shared
 * with the classes that the tests themselves see, and the rooms need no hook for it.
 */
public class BrokenClasses extends ClassLoader {
  private final List<String> prefixes;
  private final List<Surgery> surgeries;

  /**
   * A loader.
   *
   * @param parent where the classes are found, and where the others are loaded
   * @param prefixes how the names of the classes begin that are loaded anew
   */
  public BrokenClasses(ClassLoader parent, List<String> prefixes, List<Surgery> surgeries) {
    super(parent);
    this.prefixes = prefixes;
    this.surgeries = surgeries;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (prefixes.stream().noneMatch(name::startsWith)) {
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
    bytes = prepared(name, bytes);
    return defineClass(name, bytes, 0, bytes.length);
  }

  /** What is done to each class after the surgeries: nothing. */
  protected byte[] prepared(String name, byte[] compiled) {
    return compiled;
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
