package io.busbar.mpi;

import io.busbar.mpi.MpiError.Kind;
import java.util.Locale;

/**
 * What a reduction does with two values: {@code inout[i] = in[i] op inout[i]}, where {@code in} is
 * that of the lower rank.
 *
 * @param name for people
 * @param commutes whether the order does not matter
 * @param action what it does
 */
public record Operation(String name, boolean commutes, Action action) {
  /** Does it, for elements of a type. */
  @FunctionalInterface
  public interface Action {
    /**
     * Combines arrays of the type's base.
     *
     * @param inAt the index of the first element
     * @param count elements of the type
     */
    void apply(Object in, int inAt, Object inout, int inoutAt, int count, Datatype type);
  }

  /** The larger one. */
  public static final Operation MAX = predefined("max", new Arithmetic.Max());

  /** The smaller one. */
  public static final Operation MIN = predefined("min", new Arithmetic.Min());

  /** The sum. */
  public static final Operation SUM = predefined("sum", new Arithmetic.Sum());

  /** The product. */
  public static final Operation PROD = predefined("prod", new Arithmetic.Product());

  /** Whether both hold. */
  public static final Operation LAND = predefined("land", Logic.LAND);

  /** Whether one holds. */
  public static final Operation LOR = predefined("lor", Logic.LOR);

  /** Whether exactly one holds. */
  public static final Operation LXOR = predefined("lxor", Logic.LXOR);

  /** Bits of both. */
  public static final Operation BAND = predefined("band", Logic.BAND);

  /** Bits of either. */
  public static final Operation BOR = predefined("bor", Logic.BOR);

  /** Bits of one alone. */
  public static final Operation BXOR = predefined("bxor", Logic.BXOR);

  /** The larger value, and the lowest index of it. */
  public static final Operation MAXLOC = predefined("maxloc", new Located(true));

  /** The smaller value, and the lowest index of it. */
  public static final Operation MINLOC = predefined("minloc", new Located(false));

  /** The value of the lower rank. */
  public static final Operation REPLACE = new Operation("replace", false, Operation::replace);

  /** The value of the higher rank. */
  public static final Operation NO_OP = new Operation("no_op", false, (a, b, c, d, e, f) -> {});

  /** Whether it is known what it does: programs' own see memory of ours, from its beginning. */
  boolean isPredefined() {
    return action instanceof Arithmetic || action instanceof Logic || action instanceof Located;
  }

  private static Operation predefined(String name, Action action) {
    return new Operation(name, true, action);
  }

  private static void replace(
      Object in, int inAt, Object inout, int inoutAt, int count, Datatype type) {
    int length = (int) (count * type.extent() / type.base().bytes());
    System.arraycopy(in, inAt, inout, inoutAt, length);
  }

  /** Whether a datatype can be used with it is known when it is used. */
  static MpiError refused(String name, Datatype type) {
    return new MpiError(
        Kind.OP,
        "operation %s is not defined for %s %s"
            .formatted(
                name,
                type.role().name().toLowerCase(Locale.ROOT),
                type.base().name().toLowerCase(Locale.ROOT)));
  }

  /** The length of dense elements in those of the base. */
  static int length(String name, int count, Datatype type) {
    if (!type.isDense() || type.base() == Base.OBJECT || type.base() == Base.MIXED) {
      throw refused(name, type);
    }
    return (int) (count * type.size() / type.base().bytes());
  }
}
