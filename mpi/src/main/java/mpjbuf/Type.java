package mpjbuf;

/** Kinds of elements, as MPJ Express numbers them. */
public enum Type {
  /** Bytes. */
  BYTE(0),
  /** Characters. */
  CHAR(1),
  /** Integers of 16 bits. */
  SHORT(2),
  /** Truth values. */
  BOOLEAN(3),
  /** Integers of 32 bits. */
  INT(4),
  /** Integers of 64 bits. */
  LONG(5),
  /** Numbers of 32 bits. */
  FLOAT(6),
  /** Numbers of 64 bits. */
  DOUBLE(7),
  /** Objects. */
  OBJECT(8);

  private final int code;

  Type(int code) {
    this.code = code;
  }

  /** Its number. */
  public int getCode() {
    return code;
  }
}
