package mpi;

import io.busbar.mpi.Base;
import io.busbar.mpi.MpiError;
import java.util.function.IntSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Where the data of an element lie. Extents and sizes are counted in elements of the base type;
 * where a struct was made with places in bytes, in bytes.
 */
public class Datatype implements Freeable, Cloneable {
  private static final BusbarKeys KEYS = new BusbarKeys();

  /** The number of the base type. */
  public int baseType;

  private io.busbar.mpi.Datatype core;
  private final boolean predefined;
  private final int unit;

  /** Elements of this kind are what functions of the lower-case interface get in arrays. */
  private final Base element;

  private String name;
  private BusbarKeys.Attributes attributes = KEYS.new Attributes();

  Datatype(io.busbar.mpi.Datatype core, String name) {
    this(core, name, true, base(core).bytes(), base(core));
  }

  private Datatype(
      io.busbar.mpi.Datatype core, String name, boolean predefined, int unit, Base element) {
    this.core = core;
    this.name = name;
    this.predefined = predefined;
    this.unit = unit;
    this.element = element;
    this.baseType = core == null ? 0 : core.base().number();
  }

  private static Base base(io.busbar.mpi.Datatype core) {
    return core == null ? Base.BYTE : core.base();
  }

  /** One that is counted in the units of another one, and given to functions as that is. */
  private static Datatype derived(io.busbar.mpi.Datatype core, Datatype like) {
    return new Datatype(core, "", false, like.unit, like.element);
  }

  /** A predefined one whose lengths the lower-case interface counts in bytes. */
  static Datatype inBytes(io.busbar.mpi.Datatype core, String name) {
    return new Datatype(core, name, true, 1, core.base());
  }

  io.busbar.mpi.Datatype core() {
    if (core == null) {
      throw missing();
    }
    return core;
  }

  static MpiError missing() {
    return new MpiError(MpiError.Kind.TYPE, "the datatype is null, or was freed");
  }

  /**
   * What the elements are that functions of the lower-case interface get: of structs with places in
   * bytes, bytes, whatever the fields are. Freed or not.
   */
  Base element() {
    return element;
  }

  /** The same one, which stays when this is freed. */
  Datatype lasting() {
    return predefined ? this : new Datatype(core(), name, false, unit, element);
  }

  private static int get(String call, IntSupplier value) {
    return BusbarErrors.get("Datatype." + call, value::getAsInt);
  }

  private int inUnits(long bytes) {
    return (int) (bytes / unit);
  }

  private int inElements(long bytes) {
    return (int) (bytes / core().base().bytes());
  }

  /** The number of the base type. */
  public int getType() {
    return baseType;
  }

  // The lower-case interface.

  /** Where it begins. */
  public int getLb() throws MPIException {
    return get("getLb", () -> inUnits(core().lb()));
  }

  /** From one element to the next. */
  public int getExtent() throws MPIException {
    return get("getExtent", () -> inUnits(core().extent()));
  }

  /** Where its data begin. */
  public int getTrueLb() throws MPIException {
    return get("getTrueLb", () -> inUnits(core().trueLb()));
  }

  /** From its first datum to its last. */
  public int getTrueExtent() throws MPIException {
    return get("getTrueExtent", () -> inUnits(core().trueExtent()));
  }

  /** How many elements of data it has. */
  public int getSize() throws MPIException {
    return get("getSize", () -> inUnits(core().size()));
  }

  /** It will be used; nothing has to be done for that. */
  public void commit() throws MPIException {
    commit("Datatype.commit");
  }

  private void commit(String call) {
    io.busbar.mpi.Datatype _ = BusbarErrors.get(call, this::core);
  }

  /** Gives it back. */
  @Override
  public void free() {
    free("Datatype.free");
  }

  private void free(String call) {
    if (predefined) {
      throw new MPIException(MPI.ERR_TYPE, call + ": a predefined type cannot be freed");
    }
    core = null;
  }

  /** Whether it was freed. */
  public boolean isNull() {
    return core == null;
  }

  /** A copy. */
  @Override
  public Datatype clone() {
    return dup();
  }

  /** A copy. */
  public Datatype dup() throws MPIException {
    Datatype made = BusbarErrors.get("Datatype.dup", () -> derived(core(), this));
    made.attributes = attributes.copy();
    return made;
  }

  private static long[] scaled(int[] places, long by) {
    return IntStream.of(places).mapToLong(place -> place * by).toArray();
  }

  private static io.busbar.mpi.Datatype[] cores(Datatype[] types) {
    return java.util.Arrays.stream(types).map(Comm::core).toArray(io.busbar.mpi.Datatype[]::new);
  }

  private static Datatype contiguous(String call, int count, Datatype of) {
    return BusbarErrors.get(
        call, () -> derived(io.busbar.mpi.Datatype.contiguous(count, Comm.core(of)), of));
  }

  /** Distances are in units of so many bytes. */
  private static Datatype vector(
      String call,
      int count,
      int blockLength,
      int stride,
      Datatype of,
      ToLongFunction<io.busbar.mpi.Datatype> units) {
    return BusbarErrors.get(
        call,
        () -> {
          io.busbar.mpi.Datatype old = Comm.core(of);
          long bytes = stride * units.applyAsLong(old);
          return derived(io.busbar.mpi.Datatype.vector(count, blockLength, bytes, old), of);
        });
  }

  /** Places are in units of so many bytes. */
  private static Datatype indexed(
      String call,
      int[] lengths,
      int[] places,
      Datatype of,
      ToLongFunction<io.busbar.mpi.Datatype> units) {
    return BusbarErrors.get(
        call,
        () -> {
          io.busbar.mpi.Datatype old = Comm.core(of);
          io.busbar.mpi.Datatype[] all = new io.busbar.mpi.Datatype[lengths.length];
          java.util.Arrays.fill(all, old);
          long[] bytes = scaled(places, units.applyAsLong(old));
          return derived(io.busbar.mpi.Datatype.blocks(lengths, bytes, all), of);
        });
  }

  private static long bytes(io.busbar.mpi.Datatype type) {
    return type.base().bytes();
  }

  /** Elements one behind the other. */
  public static Datatype createContiguous(int count, Datatype oldType) throws MPIException {
    return contiguous("Datatype.createContiguous", count, oldType);
  }

  /** Blocks at equal distances, in elements. */
  public static Datatype createVector(int count, int blockLength, int stride, Datatype oldType)
      throws MPIException {
    return vector(
        "Datatype.createVector",
        count,
        blockLength,
        stride,
        oldType,
        io.busbar.mpi.Datatype::extent);
  }

  /** Blocks at equal distances, in bytes. */
  public static Datatype createHVector(int count, int blockLength, int stride, Datatype oldType)
      throws MPIException {
    return vector("Datatype.createHVector", count, blockLength, stride, oldType, _ -> 1);
  }

  /** Blocks, each at its place, in elements. */
  public static Datatype createIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
      throws MPIException {
    return indexed(
        "Datatype.createIndexed",
        blockLengths,
        displacements,
        oldType,
        io.busbar.mpi.Datatype::extent);
  }

  /** Blocks, each at its place, in bytes. */
  public static Datatype createHIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
      throws MPIException {
    return indexed("Datatype.createHIndexed", blockLengths, displacements, oldType, _ -> 1);
  }

  /** Blocks, each of its type and at its place, in bytes. */
  public static Datatype createStruct(int[] blockLengths, int[] displacements, Datatype[] types)
      throws MPIException {
    return BusbarErrors.get(
        "Datatype.createStruct",
        () -> {
          io.busbar.mpi.Datatype made =
              io.busbar.mpi.Datatype.blocks(blockLengths, scaled(displacements, 1), cores(types));
          Base element = made.base() == Base.OBJECT ? Base.OBJECT : Base.BYTE;
          return new Datatype(made, "", false, 1, element);
        });
  }

  /** The same data with other bounds, in bytes. */
  public static Datatype createResized(Datatype oldType, int lb, int extent) throws MPIException {
    return BusbarErrors.get(
        "Datatype.createResized",
        () -> derived(io.busbar.mpi.Datatype.resized(Comm.core(oldType), lb, extent), oldType));
  }

  /** Gives it a name. */
  public void setName(String other) throws MPIException {
    name = other;
  }

  /** Its name. */
  public String getName() throws MPIException {
    return name;
  }

  /** A key for attributes. */
  public static int createKeyval() throws MPIException {
    return KEYS.create();
  }

  /** Gives a key back. */
  public static void freeKeyval(int keyval) throws MPIException {
    BusbarErrors.run("Datatype.freeKeyval", () -> KEYS.free(keyval));
  }

  /** Sets an attribute. */
  public void setAttr(int keyval, Object value) throws MPIException {
    BusbarErrors.run("Datatype.setAttr", () -> attributes.set(keyval, value));
  }

  /** An attribute; null if there is none. */
  public Object getAttr(int keyval) throws MPIException {
    return BusbarErrors.get("Datatype.getAttr", () -> attributes.get(keyval));
  }

  /** Takes an attribute away. */
  public void deleteAttr(int keyval) throws MPIException {
    BusbarErrors.run("Datatype.deleteAttr", () -> attributes.delete(keyval));
  }

  // The upper-case interface.

  /** From one element to the next. */
  public int Extent() throws MPIException {
    return get("Extent", () -> inElements(core().extent()));
  }

  /** How many elements of data it has. */
  public int Size() throws MPIException {
    return get("Size", () -> inElements(core().size()));
  }

  /** Where it begins. */
  public int Lb() throws MPIException {
    return get("Lb", () -> inElements(core().lb()));
  }

  /** Where it ends. */
  public int Ub() throws MPIException {
    return get("Ub", () -> inElements(core().ub()));
  }

  /** It will be used. */
  public void Commit() throws MPIException {
    commit("Datatype.Commit");
  }

  /** Gives it back. */
  public void Free() throws MPIException {
    free("Datatype.Free");
  }

  /** Elements one behind the other. */
  public static Datatype Contiguous(int count, Datatype oldtype) throws MPIException {
    return contiguous("Datatype.Contiguous", count, oldtype);
  }

  /** Blocks at equal distances, in elements. */
  public static Datatype Vector(int count, int blocklength, int stride, Datatype oldtype)
      throws MPIException {
    return vector(
        "Datatype.Vector", count, blocklength, stride, oldtype, io.busbar.mpi.Datatype::extent);
  }

  /** Blocks at equal distances, in elements of the base type. */
  public static Datatype Hvector(int count, int blocklength, int stride, Datatype oldtype)
      throws MPIException {
    return vector("Datatype.Hvector", count, blocklength, stride, oldtype, Datatype::bytes);
  }

  /** Blocks, each at its place, in elements. */
  public static Datatype Indexed(
      int[] arrayOfBlocklengths, int[] arrayOfDisplacements, Datatype oldtype) throws MPIException {
    return indexed(
        "Datatype.Indexed",
        arrayOfBlocklengths,
        arrayOfDisplacements,
        oldtype,
        io.busbar.mpi.Datatype::extent);
  }

  /** Blocks, each at its place, in elements of the base type. */
  public static Datatype Hindexed(
      int[] arrayOfBlocklengths, int[] arrayOfDisplacements, Datatype oldtype) throws MPIException {
    return indexed(
        "Datatype.Hindexed", arrayOfBlocklengths, arrayOfDisplacements, oldtype, Datatype::bytes);
  }

  /** Blocks, each of its type and at its place, in elements of the base type. */
  public static Datatype Struct(
      int[] arrayOfBlocklengths, int[] arrayOfDisplacements, Datatype[] arrayOfTypes)
      throws MPIException {
    return BusbarErrors.get(
        "Datatype.Struct",
        () -> {
          io.busbar.mpi.Datatype[] types = cores(arrayOfTypes);
          int unit = 1;
          for (io.busbar.mpi.Datatype type : types) {
            unit = type.size() > 0 ? type.base().bytes() : unit;
          }
          io.busbar.mpi.Datatype made =
              io.busbar.mpi.Datatype.blocks(
                  arrayOfBlocklengths, scaled(arrayOfDisplacements, unit), types);
          return new Datatype(made, "", false, unit, made.base());
        });
  }
}
