package mpi;

import io.busbar.mpi.Operation;
import io.busbar.mpi.Slices;
import io.busbar.mpi.World;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Locale;

/** The beginning and the end of MPI, and its constants. */
public final class MPI {
  /** A level of thread support. */
  public static final int THREAD_SINGLE = 0;

  /** A level of thread support. */
  public static final int THREAD_FUNNELED = 1;

  /** A level of thread support. */
  public static final int THREAD_SERIALIZED = 2;

  /** A level of thread support. */
  public static final int THREAD_MULTIPLE = 3;

  /** A topology. */
  public static final int GRAPH = 1;

  /** A topology. */
  public static final int CART = 2;

  /** A topology. */
  public static final int DIST_GRAPH = 3;

  /** From anybody. */
  public static final int ANY_SOURCE = -2;

  /** With any tag. */
  public static final int ANY_TAG = -2;

  /** Nobody. */
  public static final int PROC_NULL = -3;

  /** The root of a collective between two groups. */
  public static final int ROOT = -4;

  /** Not defined. */
  public static final int UNDEFINED = -1;

  /** How two compare. */
  public static final int IDENT = 0;

  /** How two compare. */
  public static final int CONGRUENT = 3;

  /** How two compare. */
  public static final int SIMILAR = 1;

  /** How two compare. */
  public static final int UNEQUAL = 2;

  /** The key of a predefined attribute. */
  public static final int TAG_UB = 1;

  /** The key of a predefined attribute. */
  public static final int HOST = 2;

  /** The key of a predefined attribute. */
  public static final int IO = 3;

  /** The key of a predefined attribute. */
  public static final int WTIME_IS_GLOBAL = 4;

  /** The key of a predefined attribute. */
  public static final int APPNUM = 5;

  /** The key of a predefined attribute. */
  public static final int LASTUSEDCODE = 6;

  /** The key of a predefined attribute. */
  public static final int UNIVERSE_SIZE = 7;

  /** The key of a predefined attribute. */
  public static final int WIN_BASE = 8;

  /** The key of a predefined attribute. */
  public static final int WIN_SIZE = 9;

  /** The key of a predefined attribute. */
  public static final int WIN_DISP_UNIT = 10;

  /** No key. */
  public static final int KEYVAL_INVALID = -1;

  /** The version of the standard. */
  public static final int VERSION = 4;

  /** The version of the standard, after the dot. */
  public static final int SUBVERSION = 1;

  /** What a buffered send needs besides its data. */
  public static final int BSEND_OVERHEAD = 0;

  /** What a send needs besides its data. */
  public static final int SEND_OVERHEAD = 0;

  /** What a receive needs besides its data. */
  public static final int RECV_OVERHEAD = 0;

  /** A longest length. */
  public static final int MAX_OBJECT_NAME = 128;

  /** A longest length. */
  public static final int MAX_PORT_NAME = 1024;

  /** A longest length. */
  public static final int MAX_DATAREP_STRING = 128;

  /** A longest length. */
  public static final int MAX_INFO_KEY = 255;

  /** A longest length. */
  public static final int MAX_INFO_VAL = 1024;

  /** A constant of the standard. */
  public static final int ORDER_C = 0;

  /** A constant of the standard. */
  public static final int ORDER_FORTRAN = 1;

  /** A constant of the standard. */
  public static final int DISTRIBUTE_BLOCK = 0;

  /** A constant of the standard. */
  public static final int DISTRIBUTE_CYCLIC = 1;

  /** A constant of the standard. */
  public static final int DISTRIBUTE_NONE = 2;

  /** A constant of the standard. */
  public static final int DISTRIBUTE_DFLT_DARG = -1;

  /** How a file is opened. */
  public static final int MODE_CREATE = 1;

  /** How a file is opened. */
  public static final int MODE_RDONLY = 2;

  /** How a file is opened. */
  public static final int MODE_WRONLY = 4;

  /** How a file is opened. */
  public static final int MODE_RDWR = 8;

  /** How a file is opened. */
  public static final int MODE_DELETE_ON_CLOSE = 16;

  /** How a file is opened. */
  public static final int MODE_UNIQUE_OPEN = 32;

  /** How a file is opened. */
  public static final int MODE_EXCL = 64;

  /** How a file is opened. */
  public static final int MODE_APPEND = 128;

  /** How a file is opened. */
  public static final int MODE_SEQUENTIAL = 256;

  /** A constant of the standard. */
  public static final int DISPLACEMENT_CURRENT = -54278278;

  /** A constant of the standard. */
  public static final int SEEK_SET = 0;

  /** A constant of the standard. */
  public static final int SEEK_CUR = 1;

  /** A constant of the standard. */
  public static final int SEEK_END = 2;

  /** A constant of the standard. */
  public static final int MODE_NOCHECK = 1;

  /** A constant of the standard. */
  public static final int MODE_NOPRECEDE = 2;

  /** A constant of the standard. */
  public static final int MODE_NOPUT = 4;

  /** A constant of the standard. */
  public static final int MODE_NOSTORE = 8;

  /** A constant of the standard. */
  public static final int MODE_NOSUCCEED = 16;

  /** A constant of the standard. */
  public static final int LOCK_EXCLUSIVE = 1;

  /** A constant of the standard. */
  public static final int LOCK_SHARED = 2;

  /** No error. */
  public static final int SUCCESS = 0;

  /** Processors of this host. */
  public static final int NUM_OF_PROCESSORS = Runtime.getRuntime().availableProcessors();

  /** An error class. */
  public static final int ERR_BUFFER = 1;

  /** An error class. */
  public static final int ERR_COUNT = 2;

  /** An error class. */
  public static final int ERR_TYPE = 3;

  /** An error class. */
  public static final int ERR_TAG = 4;

  /** An error class. */
  public static final int ERR_COMM = 5;

  /** An error class. */
  public static final int ERR_RANK = 6;

  /** An error class. */
  public static final int ERR_REQUEST = 7;

  /** An error class. */
  public static final int ERR_ROOT = 8;

  /** An error class. */
  public static final int ERR_GROUP = 9;

  /** An error class. */
  public static final int ERR_OP = 10;

  /** An error class. */
  public static final int ERR_TOPOLOGY = 11;

  /** An error class. */
  public static final int ERR_DIMS = 12;

  /** An error class. */
  public static final int ERR_ARG = 13;

  /** An error class. */
  public static final int ERR_UNKNOWN = 14;

  /** An error class. */
  public static final int ERR_TRUNCATE = 15;

  /** An error class. */
  public static final int ERR_OTHER = 16;

  /** An error class. */
  public static final int ERR_INTERN = 17;

  /** An error class. */
  public static final int ERR_IN_STATUS = 18;

  /** An error class. */
  public static final int ERR_PENDING = 19;

  /** An error class. */
  public static final int ERR_ACCESS = 20;

  /** An error class. */
  public static final int ERR_AMODE = 21;

  /** An error class. */
  public static final int ERR_ASSERT = 22;

  /** An error class. */
  public static final int ERR_BAD_FILE = 23;

  /** An error class. */
  public static final int ERR_BASE = 24;

  /** An error class. */
  public static final int ERR_CONVERSION = 25;

  /** An error class. */
  public static final int ERR_DISP = 26;

  /** An error class. */
  public static final int ERR_DUP_DATAREP = 27;

  /** An error class. */
  public static final int ERR_FILE_EXISTS = 28;

  /** An error class. */
  public static final int ERR_FILE_IN_USE = 29;

  /** An error class. */
  public static final int ERR_FILE = 30;

  /** An error class. */
  public static final int ERR_INFO_KEY = 31;

  /** An error class. */
  public static final int ERR_INFO_NOKEY = 32;

  /** An error class. */
  public static final int ERR_INFO_VALUE = 33;

  /** An error class. */
  public static final int ERR_INFO = 34;

  /** An error class. */
  public static final int ERR_IO = 35;

  /** An error class. */
  public static final int ERR_KEYVAL = 36;

  /** An error class. */
  public static final int ERR_LOCKTYPE = 37;

  /** An error class. */
  public static final int ERR_NAME = 38;

  /** An error class. */
  public static final int ERR_NO_MEM = 39;

  /** An error class. */
  public static final int ERR_NOT_SAME = 40;

  /** An error class. */
  public static final int ERR_NO_SPACE = 41;

  /** An error class. */
  public static final int ERR_NO_SUCH_FILE = 42;

  /** An error class. */
  public static final int ERR_PORT = 43;

  /** An error class. */
  public static final int ERR_PROC_ABORTED = 44;

  /** An error class. */
  public static final int ERR_QUOTA = 45;

  /** An error class. */
  public static final int ERR_READ_ONLY = 46;

  /** An error class. */
  public static final int ERR_RMA_CONFLICT = 47;

  /** An error class. */
  public static final int ERR_RMA_SYNC = 48;

  /** An error class. */
  public static final int ERR_SERVICE = 49;

  /** An error class. */
  public static final int ERR_SIZE = 50;

  /** An error class. */
  public static final int ERR_SPAWN = 51;

  /** An error class. */
  public static final int ERR_UNSUPPORTED_DATAREP = 52;

  /** An error class. */
  public static final int ERR_UNSUPPORTED_OPERATION = 53;

  /** An error class. */
  public static final int ERR_WIN = 54;

  /** An error class. */
  public static final int ERR_SYSRESOURCE = 56;

  /** The highest error class. */
  public static final int ERR_LASTCODE = 57;

  /** A predefined type. */
  public static final Datatype BYTE = new Datatype(io.busbar.mpi.Datatype.BYTE, "MPI_BYTE");

  /** A predefined type. */
  public static final Datatype CHAR = new Datatype(io.busbar.mpi.Datatype.CHAR, "MPI_CHAR");

  /** A predefined type. */
  public static final Datatype SHORT = new Datatype(io.busbar.mpi.Datatype.SHORT, "MPI_SHORT");

  /** A predefined type. */
  public static final Datatype BOOLEAN =
      new Datatype(io.busbar.mpi.Datatype.BOOLEAN, "MPI_BOOLEAN");

  /** A predefined type. */
  public static final Datatype INT = new Datatype(io.busbar.mpi.Datatype.INT, "MPI_INT");

  /** A predefined type. */
  public static final Datatype LONG = new Datatype(io.busbar.mpi.Datatype.LONG, "MPI_LONG");

  /** A predefined type. */
  public static final Datatype FLOAT = new Datatype(io.busbar.mpi.Datatype.FLOAT, "MPI_FLOAT");

  /** A predefined type. */
  public static final Datatype DOUBLE = new Datatype(io.busbar.mpi.Datatype.DOUBLE, "MPI_DOUBLE");

  /** A predefined type. */
  public static final Datatype PACKED = new Datatype(io.busbar.mpi.Datatype.PACKED, "MPI_PACKED");

  /** A predefined type. */
  public static final Datatype OBJECT = new Datatype(io.busbar.mpi.Datatype.OBJECT, "MPI_OBJECT");

  /** A predefined type. */
  public static final Datatype LB = new Datatype(io.busbar.mpi.Datatype.LB, "MPI_LB");

  /** A predefined type. */
  public static final Datatype UB = new Datatype(io.busbar.mpi.Datatype.UB, "MPI_UB");

  /** Pairs of a value and an index. */
  public static final Datatype SHORT2 =
      new Datatype(io.busbar.mpi.Datatype.pair(io.busbar.mpi.Datatype.SHORT), "MPI_SHORT2");

  /** Pairs of a value and an index. */
  public static final Datatype LONG2 =
      new Datatype(io.busbar.mpi.Datatype.pair(io.busbar.mpi.Datatype.LONG), "MPI_LONG2");

  /** Pairs of a value and an index. */
  public static final Datatype FLOAT2 =
      new Datatype(io.busbar.mpi.Datatype.pair(io.busbar.mpi.Datatype.FLOAT), "MPI_FLOAT2");

  /** Pairs of a value and an index. */
  public static final Datatype DOUBLE2 =
      new Datatype(io.busbar.mpi.Datatype.pair(io.busbar.mpi.Datatype.DOUBLE), "MPI_DOUBLE2");

  /** Pairs of a value and an index. */
  public static final Datatype INT2 =
      Datatype.inBytes(io.busbar.mpi.Datatype.pair(io.busbar.mpi.Datatype.INT), "MPI_2INT");

  /** Pairs of a value and an int. */
  public static final Datatype SHORT_INT =
      Datatype.inBytes(
          io.busbar.mpi.Datatype.pairWithInt(io.busbar.mpi.Datatype.SHORT), "MPI_SHORT_INT");

  /** Pairs of a value and an int. */
  public static final Datatype LONG_INT =
      Datatype.inBytes(
          io.busbar.mpi.Datatype.pairWithInt(io.busbar.mpi.Datatype.LONG), "MPI_LONG_INT");

  /** Pairs of a value and an int. */
  public static final Datatype FLOAT_INT =
      Datatype.inBytes(
          io.busbar.mpi.Datatype.pairWithInt(io.busbar.mpi.Datatype.FLOAT), "MPI_FLOAT_INT");

  /** Pairs of a value and an int. */
  public static final Datatype DOUBLE_INT =
      Datatype.inBytes(
          io.busbar.mpi.Datatype.pairWithInt(io.busbar.mpi.Datatype.DOUBLE), "MPI_DOUBLE_INT");

  /** Complex numbers. */
  public static final Datatype FLOAT_COMPLEX =
      new Datatype(
          io.busbar.mpi.Datatype.complex(io.busbar.mpi.Datatype.FLOAT), "MPI_FLOAT_COMPLEX");

  /** Complex numbers. */
  public static final Datatype DOUBLE_COMPLEX =
      new Datatype(
          io.busbar.mpi.Datatype.complex(io.busbar.mpi.Datatype.DOUBLE), "MPI_DOUBLE_COMPLEX");

  /** No type. */
  public static final Datatype DATATYPE_NULL = new Datatype(null, "MPI_DATATYPE_NULL");

  /** No type. */
  public static final Datatype NULL = DATATYPE_NULL;

  /** A predefined operation. */
  public static final Op MAX = new Op(Operation.MAX);

  /** A predefined operation. */
  public static final Op MIN = new Op(Operation.MIN);

  /** A predefined operation. */
  public static final Op SUM = new Op(Operation.SUM);

  /** A predefined operation. */
  public static final Op PROD = new Op(Operation.PROD);

  /** A predefined operation. */
  public static final Op LAND = new Op(Operation.LAND);

  /** A predefined operation. */
  public static final Op BAND = new Op(Operation.BAND);

  /** A predefined operation. */
  public static final Op LOR = new Op(Operation.LOR);

  /** A predefined operation. */
  public static final Op BOR = new Op(Operation.BOR);

  /** A predefined operation. */
  public static final Op LXOR = new Op(Operation.LXOR);

  /** A predefined operation. */
  public static final Op BXOR = new Op(Operation.BXOR);

  /** A predefined operation. */
  public static final Op MAXLOC = new Op(Operation.MAXLOC);

  /** A predefined operation. */
  public static final Op MINLOC = new Op(Operation.MINLOC);

  /** A predefined operation. */
  public static final Op REPLACE = new Op(Operation.REPLACE);

  /** A predefined operation. */
  public static final Op NO_OP = new Op(Operation.NO_OP);

  /** A value and an index. */
  public static final Int2 int2 = new Int2();

  /** A value and an index. */
  public static final ShortInt shortInt = new ShortInt();

  /** A value and an index. */
  public static final LongInt longInt = new LongInt();

  /** A value and an index. */
  public static final FloatInt floatInt = new FloatInt();

  /** A value and an index. */
  public static final DoubleInt doubleInt = new DoubleInt();

  /** An error ends all processes. */
  public static final Errhandler ERRORS_ARE_FATAL = new Errhandler("MPI_ERRORS_ARE_FATAL");

  /** An error ends all processes. */
  public static final Errhandler ERRORS_ABORT = new Errhandler("MPI_ERRORS_ABORT");

  /** An error is an exception. */
  public static final Errhandler ERRORS_RETURN = new Errhandler("MPI_ERRORS_RETURN");

  /** All processes of the job. */
  public static final Intracomm COMM_WORLD = new Intracomm(null);

  /** This process alone. */
  public static final Intracomm COMM_SELF = new Intracomm(null);

  /** No communicator. */
  public static final Comm COMM_NULL = new Intracomm(null);

  /** Nobody. */
  public static final Group GROUP_EMPTY = new Group(io.busbar.mpi.Group.EMPTY);

  /** No group. */
  public static final Group GROUP_NULL = new Group(null);

  /** No request. */
  public static final Request REQUEST_NULL = new Request(null, null, null, "");

  /** Of no message. */
  public static final Status EMPTY_STATUS = new Status();

  /** No hints. */
  public static final Info INFO_NULL = Info.none();

  /** What is known of the environment. */
  public static final Info INFO_ENV = new Info();

  /** Whether there is more to be seen than usual: no. */
  public static final boolean DEBUG = false;

  /** As MPJ Express has it; means nothing here. */
  public static boolean isOldSelected;

  private static final BusbarSession SESSION = new BusbarSession();

  private MPI() {}

  // For the other classes.

  /** The world, for a call that needs MPI to run. */
  static World runningWorld(String call) {
    if (!SESSION.isRunning()) {
      throw new MPIException(MPI.ERR_OTHER, call + ": MPI was finalised, or not initialised");
    }
    return SESSION.world();
  }

  static boolean wasInitialised() {
    return SESSION.wasInitialised();
  }

  static void onBuffered(io.busbar.mpi.Request sent) {
    SESSION.onBuffered(sent);
  }

  static void abort(int code) {
    SESSION.abort(code);
  }

  /** Ends all processes because of an error. */
  static void end(int code) {
    SESSION.abort(code == 0 ? 1 : code);
  }

  /** A predefined attribute; null if it is none. */
  static Object attribute(int key) {
    return switch (key) {
      case TAG_UB -> Integer.MAX_VALUE;
      case HOST -> PROC_NULL;
      case IO -> ANY_SOURCE;
      case WTIME_IS_GLOBAL -> false;
      case APPNUM -> 0;
      case LASTUSEDCODE -> ERR_LASTCODE;
      case UNIVERSE_SIZE -> COMM_WORLD.getSize();
      default -> null;
    };
  }

  // The beginning and the end.

  /** Begins MPI; the program's arguments. */
  public static String[] Init(String[] args) throws MPIException {
    return SESSION.begin(args);
  }

  /** Begins MPI, unless Init has; any number of threads may call it, whatever is asked for. */
  public static int InitThread(String[] args, int required) throws MPIException {
    String[] _ = SESSION.beginByThread(args);
    return THREAD_MULTIPLE;
  }

  /** Begins MPI, unless Init has; the program's arguments. */
  public static String[] initThread(int required, int provided, String[] args) {
    return SESSION.beginByThread(args);
  }

  /** Ends MPI. */
  public static void Finalize() throws MPIException {
    SESSION.end();
  }

  /** Whether MPI was begun and not ended. */
  public static boolean Initialized() throws MPIException {
    return SESSION.isRunning();
  }

  /** Whether MPI was ever begun. */
  public static boolean isInitialized() throws MPIException {
    return SESSION.wasInitialised();
  }

  /** Whether MPI was ended. */
  public static boolean isFinalized() throws MPIException {
    return SESSION.wasInitialised() && !SESSION.isRunning();
  }

  /** Whether MPI was ended. */
  public static boolean Finalized() throws MPIException {
    return isFinalized();
  }

  /** The level of thread support. */
  public static int queryThread() throws MPIException {
    return THREAD_MULTIPLE;
  }

  /** Whether this thread began MPI. */
  public static boolean isThreadMain() throws MPIException {
    return SESSION.isMainThread();
  }

  /** Whether this thread began MPI. */
  public static boolean isMainThread() {
    return SESSION.isMainThread();
  }

  // Time and place.

  /** Seconds since some moment. */
  public static double wtime() throws MPIException {
    return System.nanoTime() / 1e9;
  }

  /** The resolution of {@link #wtime}. */
  public static double wtick() throws MPIException {
    return 1e-9;
  }

  /** Seconds since some moment. */
  public static double Wtime() throws MPIException {
    return wtime();
  }

  /** The resolution of {@link #Wtime}. */
  public static double Wtick() throws MPIException {
    return wtick();
  }

  /** The name of this host. */
  public static String getProcessorName() throws MPIException {
    return BusbarSession.hostName();
  }

  /** The name of this host. */
  public static String Get_processor_name() throws MPIException {
    return BusbarSession.hostName();
  }

  /** The version of the standard. */
  public static Version getVersion() {
    return new Version(VERSION, SUBVERSION);
  }

  /** What this library is. */
  public static String getLibVersion() {
    return String.format(Locale.ROOT, "Busbar, MPI %d.%d for Java", VERSION, SUBVERSION);
  }

  /** For profilers; nothing is done. */
  public static void pControl(int level, Object object) {}

  // BusbarErrors.

  /** What is done about errors of all processes. */
  public static void Errorhandler_set(Errhandler errhandler) throws MPIException {
    COMM_WORLD.setErrhandler(errhandler);
  }

  /** What is done about errors of all processes. */
  public static Errhandler Errorhandler_get() throws MPIException {
    return COMM_WORLD.getErrhandler();
  }

  // Buffers.

  /** Memory for buffered sends; they work without it, too. */
  public static void attachBuffer(byte[] buffer) throws MPIException {
    SESSION.attach(buffer);
  }

  /** Waits until buffered sends have left; the memory that was given. */
  public static byte[] detachBuffer() throws MPIException {
    return SESSION.detach() instanceof byte[] array ? array : null;
  }

  /** Memory for buffered sends, instead of what was given before; they work without it, too. */
  public static void Buffer_attach(ByteBuffer buffer) throws MPIException {
    SESSION.attachInstead(buffer);
  }

  /** Memory for buffered sends, instead of what was given before; they work without it, too. */
  public static void Buffer_attach(byte[] buffer) throws MPIException {
    SESSION.attachInstead(buffer);
  }

  /** Waits until buffered sends have left; the memory that was given, if it was an array. */
  public static byte[] Buffer_detach() throws MPIException {
    return detachBuffer();
  }

  /** A direct buffer for so many. */
  public static ByteBuffer newByteBuffer(int capacity) {
    return ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
  }

  /** What follows in a buffer from a place on. */
  public static ByteBuffer slice(ByteBuffer buf, int offset) {
    return Slices.remember(
        buf.duplicate().clear().position(offset).slice().order(buf.order()), buf, offset);
  }

  /** What follows in an array from a place on. */
  public static ByteBuffer slice(byte[] buf, int offset) {
    return ByteBuffer.wrap(buf, offset, buf.length - offset).slice().order(ByteOrder.nativeOrder());
  }

  /** A direct buffer for so many. */
  public static CharBuffer newCharBuffer(int capacity) {
    return newByteBuffer(capacity * Character.BYTES).asCharBuffer();
  }

  /** What follows in a buffer from a place on. */
  public static CharBuffer slice(CharBuffer buf, int offset) {
    return Slices.remember(buf.duplicate().clear().position(offset).slice(), buf, offset);
  }

  /** What follows in an array from a place on. */
  public static CharBuffer slice(char[] buf, int offset) {
    return CharBuffer.wrap(buf, offset, buf.length - offset).slice();
  }

  /** A direct buffer for so many. */
  public static ShortBuffer newShortBuffer(int capacity) {
    return newByteBuffer(capacity * Short.BYTES).asShortBuffer();
  }

  /** What follows in a buffer from a place on. */
  public static ShortBuffer slice(ShortBuffer buf, int offset) {
    return Slices.remember(buf.duplicate().clear().position(offset).slice(), buf, offset);
  }

  /** What follows in an array from a place on. */
  public static ShortBuffer slice(short[] buf, int offset) {
    return ShortBuffer.wrap(buf, offset, buf.length - offset).slice();
  }

  /** A direct buffer for so many. */
  public static IntBuffer newIntBuffer(int capacity) {
    return newByteBuffer(capacity * Integer.BYTES).asIntBuffer();
  }

  /** What follows in a buffer from a place on. */
  public static IntBuffer slice(IntBuffer buf, int offset) {
    return Slices.remember(buf.duplicate().clear().position(offset).slice(), buf, offset);
  }

  /** What follows in an array from a place on. */
  public static IntBuffer slice(int[] buf, int offset) {
    return IntBuffer.wrap(buf, offset, buf.length - offset).slice();
  }

  /** A direct buffer for so many. */
  public static LongBuffer newLongBuffer(int capacity) {
    return newByteBuffer(capacity * Long.BYTES).asLongBuffer();
  }

  /** What follows in a buffer from a place on. */
  public static LongBuffer slice(LongBuffer buf, int offset) {
    return Slices.remember(buf.duplicate().clear().position(offset).slice(), buf, offset);
  }

  /** What follows in an array from a place on. */
  public static LongBuffer slice(long[] buf, int offset) {
    return LongBuffer.wrap(buf, offset, buf.length - offset).slice();
  }

  /** A direct buffer for so many. */
  public static FloatBuffer newFloatBuffer(int capacity) {
    return newByteBuffer(capacity * Float.BYTES).asFloatBuffer();
  }

  /** What follows in a buffer from a place on. */
  public static FloatBuffer slice(FloatBuffer buf, int offset) {
    return Slices.remember(buf.duplicate().clear().position(offset).slice(), buf, offset);
  }

  /** What follows in an array from a place on. */
  public static FloatBuffer slice(float[] buf, int offset) {
    return FloatBuffer.wrap(buf, offset, buf.length - offset).slice();
  }

  /** A direct buffer for so many. */
  public static DoubleBuffer newDoubleBuffer(int capacity) {
    return newByteBuffer(capacity * Double.BYTES).asDoubleBuffer();
  }

  /** What follows in a buffer from a place on. */
  public static DoubleBuffer slice(DoubleBuffer buf, int offset) {
    return Slices.remember(buf.duplicate().clear().position(offset).slice(), buf, offset);
  }

  /** What follows in an array from a place on. */
  public static DoubleBuffer slice(double[] buf, int offset) {
    return DoubleBuffer.wrap(buf, offset, buf.length - offset).slice();
  }
}
