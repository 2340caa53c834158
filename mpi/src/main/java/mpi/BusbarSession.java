package mpi;

import io.busbar.mpi.Communicator;
import io.busbar.mpi.MpiConfig;
import io.busbar.mpi.MpiError;
import io.busbar.mpi.Request;
import io.busbar.mpi.World;
import io.busbar.node.Discovery;
import io.busbar.node.Node;
import io.busbar.node.NodeConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** This process's part in MPI, from the first Init to its end. */
final class BusbarSession {
  /** Set by {@code busbar run --mpj}: the arguments begin with three of MPJ Express's. */
  private static final String MPJ = "BUSBAR_MPJ";

  private static final int MPJ_ARGUMENTS = 3;

  /** Who aborts waits no longer for the others to hear of it. */
  private static final long TELL_MS = 300;

  /** So much of an exit code is seen by who started the process. */
  private static final int EXIT_MASK = 0xff;

  private final List<Request> buffered = new ArrayList<>();
  private World world;
  private Thread main;
  private boolean initialised;

  /** Whether it was begun by a call that says how many threads there are, and Init may follow. */
  private boolean isByThread;

  private Object attached;

  /** For a program that may call Init, too, before or after: MPJ Express does nothing then. */
  synchronized String[] beginByThread(String[] args) {
    if (isRunning()) {
      return rest(args);
    }
    String[] rest = begin(args);
    isByThread = true;
    return rest;
  }

  synchronized String[] begin(String[] args) {
    if (isRunning() && isByThread) {
      isByThread = false;
      return rest(args);
    }
    if (isRunning()) {
      throw new MPIException(MPI.ERR_OTHER, "MPI.Init: MPI was initialised before");
    }
    isByThread = false;
    if (world == null) {
      world = join();
      World joined = world;
      Runtime.getRuntime()
          .addShutdownHook(
              Thread.ofPlatform().name("busbar-mpi-leave").unstarted(joined::endProcess));
    }
    Communicator all = BusbarErrors.get("MPI.Init", world::begin);
    MPI.COMM_WORLD.become(all);
    MPI.COMM_SELF.become(world.self());
    MPI.COMM_WORLD.setName("MPI_COMM_WORLD");
    MPI.COMM_SELF.setName("MPI_COMM_SELF");
    main = Thread.currentThread();
    initialised = true;
    String[] rest = rest(args);
    MPI.INFO_ENV.become(environment(rest));
    return rest;
  }

  /**
   * What the standard lets programs know of how they were started, and what Open MPI adds; what is
   * not known is left out.
   */
  private Map<String, String> environment(String[] rest) {
    Map<String, String> known = new LinkedHashMap<>();
    String command = System.getProperty("sun.java.command", "");
    String size = Integer.toString(world.size());
    known.put("command", command.isEmpty() ? "java" : command.split(" ", 2)[0]);
    known.put("argv", String.join(" ", rest));
    known.put("maxprocs", size);
    known.put("soft", size);
    known.put("host", hostName());
    known.put("arch", System.getProperty("os.arch", ""));
    known.put("wdir", workingDirectory());
    known.put("thread_level", "MPI_THREAD_MULTIPLE");
    known.put("ompi_np", size);
    known.put("ompi_num_apps", "1");
    known.put("ompi_first_rank", "0");
    return known;
  }

  private static String[] rest(String[] args) {
    if (args == null) {
      return new String[0];
    }
    boolean isMpj = System.getenv(MPJ) != null && args.length >= MPJ_ARGUMENTS;
    return isMpj ? Arrays.copyOfRange(args, MPJ_ARGUMENTS, args.length) : args;
  }

  /** As the shell calls it, if it is the same. */
  private static String workingDirectory() {
    String real = System.getProperty("user.dir", "");
    String named = System.getenv("PWD");
    try {
      return named != null && Files.isSameFile(Path.of(named), Path.of(real)) ? named : real;
    } catch (IOException | InvalidPathException e) {
      return real;
    }
  }

  private static World join() {
    try {
      NodeConfig config = NodeConfig.defaults();
      Discovery found = config.discovery();
      int size = found == null ? config.size() : found.expected();
      return World.join(user -> Node.join(config, user), size, MpiConfig.of(System.getenv()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MPIException(MPI.ERR_OTHER, "MPI.Init: interrupted");
    } catch (RuntimeException e) {
      throw new MPIException(e);
    }
  }

  synchronized void end() {
    if (!isRunning()) {
      throw new MPIException(MPI.ERR_OTHER, "MPI.Finalize: MPI is not initialised");
    }
    BusbarErrors.run("MPI.Finalize", world::end);
    MPI.COMM_WORLD.forget();
    MPI.COMM_SELF.forget();
    synchronized (buffered) {
      buffered.clear();
      attached = null;
    }
  }

  synchronized boolean isRunning() {
    return world != null && world.isRunning();
  }

  synchronized boolean wasInitialised() {
    return initialised;
  }

  synchronized boolean isMainThread() {
    return Thread.currentThread().equals(main);
  }

  synchronized World world() {
    if (world == null) {
      throw new MPIException(MPI.ERR_OTHER, "MPI is not initialised: call MPI.Init first");
    }
    return world;
  }

  /** Ends all: the launcher hears of it by the exit code, the others by a message, too. */
  void abort(int code) {
    int exit = (code & EXIT_MASK) == 0 ? 1 : code;
    System.err.printf("rank %d called abort with code %d%n", world().rank(), code);
    System.err.flush();
    System.out.flush();
    Thread telling = Thread.ofPlatform().daemon().start(() -> world().abort(exit));
    try {
      telling.join(TELL_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      Runtime.getRuntime().halt(exit);
    }
  }

  void onBuffered(Request sent) {
    synchronized (buffered) {
      buffered.removeIf(Request::isDone);
      buffered.add(sent);
    }
  }

  void attach(Object buffer) {
    synchronized (buffered) {
      if (attached != null) {
        throw new MPIException(MPI.ERR_BUFFER, "MPI.attachBuffer: a buffer was attached before");
      }
      attached = buffer;
    }
  }

  /** As MPJ Express does it: another buffer takes the place of the first. */
  void attachInstead(Object buffer) {
    synchronized (buffered) {
      attached = buffer;
    }
  }

  /** What was attached, when nothing of it is needed any more. */
  Object detach() {
    List<Request> all;
    Object was;
    synchronized (buffered) {
      all = List.copyOf(buffered);
      buffered.clear();
      was = attached;
      attached = null;
    }
    try {
      all.forEach(Request::await);
    } catch (MpiError e) {
      throw new MPIException("MPI.detachBuffer", e);
    }
    return was;
  }

  static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      String named = System.getenv("HOSTNAME");
      return named == null ? "localhost" : named;
    }
  }
}
