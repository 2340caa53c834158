package mpi;

import java.util.Arrays;
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
  private String name;
  private BusbarKeys.Attributes attributes = KEYS.new Attributes();

  Datatype(io.busbar.mpi.Datatype core, String name) {
    this(core, name, true, core == null ? 1 : core.base().bytes());
  }

  private Datatype(io.busbar.mpi.Datatype core, String name, boolean predefined, int unit) {
    this.core = core;
    this.name = name;
    this.predefined = predefined;
    this.unit = unit;
    this.baseType = core == null ? 0 : core.base().number();
  }

  private static Datatype derived(io.busbar.mpi.Datatype core, int unit) {
    return new Datatype(core, "", false, unit);
  }

  /** A predefined one whose lengths the lower-case interface counts in bytes. */
  static Datatype inBytes(io.busbar.mpi.Datatype core, String name) {
    return new Datatype(core, name, true, 1);
  }

  io.busbar.mpi.Datatype core() {
    if (core == null) {
      throw new MPIException(MPI.ERR_TYPE, "Datatype: it is null, or was freed");
    }
    return core;
  }

  /** What types are made of. */
  private static io.busbar.mpi.Datatype of(Datatype type) {
    return BusbarErrors.get("Datatype", () -> Comm.core(type));
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
    return inUnits(core().lb());
  }

  /** From one element to the next. */
  public int getExtent() throws MPIException {
    return inUnits(core().extent());
  }

  /** Where its data begin. */
  public int getTrueLb() throws MPIException {
    return inUnits(core().trueLb());
  }

  /** From its first datum to its last. */
  public int getTrueExtent() throws MPIException {
    return inUnits(core().trueExtent());
  }

  /** How many elements of data it has. */
  public int getSize() throws MPIException {
    return inUnits(core().size());
  }

  /** It will be used; nothing has to be done for that. */
  public void commit() throws MPIException {
    io.busbar.mpi.Datatype _ = core();
  }

  /** Gives it back. */
  @Override
  public void free() {
    if (predefined) {
      throw new MPIException(MPI.ERR_TYPE, "Datatype.free: a predefined type cannot be freed");
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
    Datatype made = derived(core(), unit);
    made.attributes = attributes.copy();
    return made;
  }

  private static long[] scaled(int[] places, long by) {
    return IntStream.of(places).mapToLong(place -> place * by).toArray();
  }

  private static io.busbar.mpi.Datatype[] cores(Datatype[] types) {
    return Arrays.stream(types).map(Datatype::of).toArray(io.busbar.mpi.Datatype[]::new);
  }

  private static io.busbar.mpi.Datatype[] repeated(Datatype type, int count) {
    io.busbar.mpi.Datatype[] all = new io.busbar.mpi.Datatype[count];
    Arrays.fill(all, of(type));
    return all;
  }

  private static Datatype indexed(String call, int[] lengths, int[] places, long by, Datatype of) {
    return BusbarErrors.get(
        call,
        () ->
            derived(
                io.busbar.mpi.Datatype.blocks(
                    lengths, scaled(places, by), repeated(of, lengths.length)),
                of.unit));
  }

  /** Elements one behind the other. */
  public static Datatype createContiguous(int count, Datatype oldType) throws MPIException {
    return BusbarErrors.get(
        "Datatype.createContiguous",
        () -> derived(io.busbar.mpi.Datatype.contiguous(count, of(oldType)), oldType.unit));
  }

  /** Blocks at equal distances, in elements. */
  public static Datatype createVector(int count, int blockLength, int stride, Datatype oldType)
      throws MPIException {
    long extent = of(oldType).extent();
    return vector("Datatype.createVector", count, blockLength, stride * extent, oldType);
  }

  private static Datatype vector(
      String call, int count, int blockLength, long stride, Datatype of) {
    return BusbarErrors.get(
        call,
        () -> derived(io.busbar.mpi.Datatype.vector(count, blockLength, stride, of(of)), of.unit));
  }

  /** Blocks at equal distances, in bytes. */
  public static Datatype createHVector(int count, int blockLength, int stride, Datatype oldType)
      throws MPIException {
    return vector("Datatype.createHVector", count, blockLength, stride, oldType);
  }

  /** Blocks, each at its place, in elements. */
  public static Datatype createIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
      throws MPIException {
    long extent = of(oldType).extent();
    return indexed("Datatype.createIndexed", blockLengths, displacements, extent, oldType);
  }

  /** Blocks, each at its place, in bytes. */
  public static Datatype createHIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
      throws MPIException {
    return indexed("Datatype.createHIndexed", blockLengths, displacements, 1, oldType);
  }

  /** Blocks, each of its type and at its place, in bytes. */
  public static Datatype createStruct(int[] blockLengths, int[] displacements, Datatype[] types)
      throws MPIException {
    return struct("Datatype.createStruct", blockLengths, displacements, 1, types, 1);
  }

  private static Datatype struct(
      String call, int[] lengths, int[] places, long by, Datatype[] types, int unit) {
    return BusbarErrors.get(
        call,
        () ->
            derived(
                io.busbar.mpi.Datatype.blocks(lengths, scaled(places, by), cores(types)), unit));
  }

  /** The same data with other bounds, in bytes. */
  public static Datatype createResized(Datatype oldType, int lb, int extent) throws MPIException {
    return derived(io.busbar.mpi.Datatype.resized(of(oldType), lb, extent), oldType.unit);
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
    return inElements(core().extent());
  }

  /** How many elements of data it has. */
  public int Size() throws MPIException {
    return inElements(core().size());
  }

  /** Where it begins. */
  public int Lb() throws MPIException {
    return inElements(core().lb());
  }

  /** Where it ends. */
  public int Ub() throws MPIException {
    return inElements(core().ub());
  }

  /** It will be used. */
  public void Commit() throws MPIException {
    commit();
  }

  /** Gives it back. */
  public void Free() throws MPIException {
    free();
  }

  /** Elements one behind the other. */
  public static Datatype Contiguous(int count, Datatype oldtype) throws MPIException {
    return createContiguous(count, oldtype);
  }

  /** Blocks at equal distances, in elements. */
  public static Datatype Vector(int count, int blocklength, int stride, Datatype oldtype)
      throws MPIException {
    return createVector(count, blocklength, stride, oldtype);
  }

  /** Blocks at equal distances, in elements of the base type. */
  public static Datatype Hvector(int count, int blocklength, int stride, Datatype oldtype)
      throws MPIException {
    long unit = of(oldtype).base().bytes();
    return vector("Datatype.Hvector", count, blocklength, stride * unit, oldtype);
  }

  /** Blocks, each at its place, in elements. */
  public static Datatype Indexed(
      int[] arrayOfBlocklengths, int[] arrayOfDisplacements, Datatype oldtype) throws MPIException {
    return createIndexed(arrayOfBlocklengths, arrayOfDisplacements, oldtype);
  }

  /** Blocks, each at its place, in elements of the base type. */
  public static Datatype Hindexed(
      int[] arrayOfBlocklengths, int[] arrayOfDisplacements, Datatype oldtype) throws MPIException {
    long unit = of(oldtype).base().bytes();
    return indexed("Datatype.Hindexed", arrayOfBlocklengths, arrayOfDisplacements, unit, oldtype);
  }

  /** Blocks, each of its type and at its place, in elements of the base type. */
  public static Datatype Struct(
      int[] arrayOfBlocklengths, int[] arrayOfDisplacements, Datatype[] arrayOfTypes)
      throws MPIException {
    int unit = 1;
    for (Datatype type : arrayOfTypes) {
      unit = of(type).size() > 0 ? of(type).base().bytes() : unit;
    }
    return struct(
        "Datatype.Struct", arrayOfBlocklengths, arrayOfDisplacements, unit, arrayOfTypes, unit);
  }
}
