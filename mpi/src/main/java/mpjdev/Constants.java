package mpjdev;

/** Numbers of MPJ Express's device, which is not here. */
public final class Constants {
  /** From anybody. */
  public static final int ANY_SOURCE = -2;

  private Constants() {}
}
