package io.busbar.mpi;

import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/** What the elements of a datatype are. */
public enum Base {
  /** Bytes. */
  BYTE(1, 1, byte.class),
  /** Characters of 16 bits. */
  CHAR(2, 2, char.class),
  /** Integers of 16 bits. */
  SHORT(3, 2, short.class),
  /** True or false; a byte on the wire. */
  BOOLEAN(4, 1, boolean.class),
  /** Integers of 32 bits. */
  INT(5, 4, int.class),
  /** Integers of 64 bits. */
  LONG(6, 8, long.class),
  /** Numbers of 32 bits. */
  FLOAT(7, 4, float.class),
  /** Numbers of 64 bits. */
  DOUBLE(8, 8, double.class),
  /** What was packed. */
  PACKED(9, 1, byte.class),
  /** Objects; the unit of all lengths is one object. */
  OBJECT(10, 1, Object.class),
  /** Elements of several kinds, as bytes. */
  MIXED(11, 1, byte.class);

  private final int number;
  private final int bytes;
  private final Class<?> element;

  Base(int number, int bytes, Class<?> element) {
    this.number = number;
    this.bytes = bytes;
    this.element = element;
  }

  /** The one with a number; null if there is none. */
  static @Nullable Base of(int number) {
    for (Base base : values()) {
      if (base.number == number) {
        return base;
      }
    }
    return null;
  }

  /** The number by which programs know it. */
  public int number() {
    return number;
  }

  /** The size of an element; 1 for objects. */
  public int bytes() {
    return bytes;
  }

  /** Whether something is an array of such elements. */
  boolean isArray(Object memory) {
    return memory.getClass().componentType() == element;
  }

  /** An array for so many elements. */
  public Object array(int length) {
    return Array.newInstance(element, length);
  }

  /** The same; of objects, an array of the class that another one has. */
  public Object arrayLike(@Nullable Object other, int length) {
    return this == OBJECT && other instanceof Object[] objects
        ? Array.newInstance(objects.getClass().componentType(), length)
        : array(length);
  }
}
