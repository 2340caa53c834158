package io.busbar.mpi;

import java.lang.reflect.Array;

/** What the elements of a datatype are. */
public enum Base {
  /** Bytes. */
  BYTE(1, byte.class),
  /** Characters of 16 bits. */
  CHAR(2, char.class),
  /** Integers of 16 bits. */
  SHORT(2, short.class),
  /** True or false; a byte on the wire. */
  BOOLEAN(1, boolean.class),
  /** Integers of 32 bits. */
  INT(4, int.class),
  /** Integers of 64 bits. */
  LONG(8, long.class),
  /** Numbers of 32 bits. */
  FLOAT(4, float.class),
  /** Numbers of 64 bits. */
  DOUBLE(8, double.class),
  /** What was packed. */
  PACKED(1, byte.class),
  /** Objects; the unit of all lengths is one object. */
  OBJECT(1, Object.class),
  /** Elements of several kinds, as bytes. */
  MIXED(1, byte.class);

  private final int bytes;
  private final Class<?> element;

  Base(int bytes, Class<?> element) {
    this.bytes = bytes;
    this.element = element;
  }

  /** The size of an element; 1 for objects. */
  public int bytes() {
    return bytes;
  }

  /** An array for so many elements. */
  Object array(int length) {
    return Array.newInstance(element, length);
  }
}
