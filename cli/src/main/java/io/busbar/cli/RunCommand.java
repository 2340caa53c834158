package io.busbar.cli;

import io.busbar.node.NodeConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code busbar run}: runs a Java program as processes that can meet. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    customSynopsis = {
      "busbar run [OPTION...] FILE.java [ARGUMENT...]",
      "       busbar run [OPTION...] -cp PATH MAIN [ARGUMENT...]",
      "       busbar run [OPTION...] -jar FILE.jar [ARGUMENT...]"
    },
    description = {
      "Runs a Java program as N processes, on this host or on others: a source file, which is"
          + " compiled first, a class, or a jar. It may use all of Busbar. What follows it goes to"
          + " the program.",
      ""
    },
    footer = {
      "",
      "Each process finds in its environment",
      "  BUSBAR_RANK      which one it is: 0 to N - 1",
      "  BUSBAR_SIZE      N",
      "  BUSBAR_JOB       a name for this run, that no other run has",
      "  BUSBAR_MEETING   a folder for this run alone, to meet in; deleted at its end",
      "",
      "With --hosts or --hostfile the ranks run on those hosts, in the order of the",
      "list. Busbar, the program, its libraries, the JDK and the working directory",
      "must be there at the same paths, as on a shared disk. What is compiled is in",
      "java.io.tmpdir, so a source file needs a shared one:",
      "BUSBAR_JAVA_OPTS=-Djava.io.tmpdir=DIR. BUSBAR_MEETING is not set: the processes",
      "find each other on their segment, or at the hosts' addresses, port 7009. Of the",
      "environment BUSBAR_... goes along, but BUSBAR_HOST. They end when ssh does.",
      "",
      "A program needs no ./busbar run where another launcher tells its rank and size:",
      "those of Open MPI and MPICH, srun, torchrun. Its processes find each other on",
      "their segment; BUSBAR_SEEDS=HOST,... names hosts elsewhere, and BUSBAR_JOB=NAME",
      "the job where the launcher has no name for it, as MPICH's has none. What those",
      "tell is not handed on by ./busbar run.",
      "",
      "--fabric NAMES, or BUSBAR_FABRICS=NAMES in the environment, says which carriers",
      "the Busbar nodes in them use. Processes on one host use shared memory; packet",
      "and xdp, raw Ethernet, are for other hosts, and need root, or CAP_NET_RAW, and",
      "CAP_NET_ADMIN and CAP_BPF for xdp.",
      "",
      "With --capture FOLDER the Busbar node in each process writes all its frames to",
      "FOLDER/rank-N-FABRIC.pcap; BUSBAR_CAPTURE=FOLDER in the environment does the",
      "same. To read them, see docs/wire/looking.md:",
      "  tshark -X lua_script:docs/wire/busbar.lua -r FOLDER/rank-0-udp.pcap",
      "",
      "With at least as many processors as processes, each process is pinned to its own",
      "share of them, with all threads of its JVM, so that none waits while another one",
      "has its place: on 8 processors, 4 processes have 2 each. With fewer processors",
      "than processes, with one process, and on other hosts nobody is pinned. Use",
      "--no-pin when several jobs run on this host, which would share the first ones.",
      "",
      "With --check, or BUSBAR_MPI_CHECK=1 in the environment of every process whatever",
      "starts it, the members of a communicator compare what they call before each",
      "collective: which one, root, operation, and how much where that has to be the",
      "same. If it is not, it is an error for all of them that says who calls what.",
      "MPI.Finalize waits for all, and says on stderr what nobody has received, which",
      "receives nothing came for, and which communicators were not freed.",
      "",
      "With --watch-deadlock[=SECONDS], each process writes what its threads wait for",
      "in MPI to a file that the launcher reads, or, on another host, to standard error,",
      "from which the launcher takes it. When all have waited for that long, a",
      "table says for whom, since when and where in the program. If ranks wait for each",
      "other, or for one that has ended MPI, and no thread of theirs does anything else,",
      "the job ends with 1. Threads that are virtual and not in MPI are not seen.",
      "",
      "-cp and -jar mean what they do for java. Busbar's modules are seen beside them;",
      "a class that Busbar has too, as mpi.MPI, is Busbar's. A program with classes of its",
      "own in package mpi runs without modules: all is on the class path.",
      "",
      "With --mpj a program for MPJ Express finds its own arguments from args[3] on, as",
      "it expects; what MPI.Init returns begins with them. BUSBAR_MPJ=1 tells MPI.Init.",
      "",
      "Output is passed on in whole lines, those of one process in order; lines of",
      "more than 64 KB may be broken by others. With --label each begins with the rank",
      "that wrote it: [2]. One process without --label has the terminal to itself.",
      "Standard input goes to rank 0.",
      "",
      "The first process that fails ends the others: SIGTERM, and SIGKILL 0.7 s later.",
      "So does Ctrl-C. When the launcher itself is killed, they end with it, provided",
      "that setpriv (Debian package util-linux) is installed. Options in",
      "BUSBAR_JAVA_OPTS go to every JVM, that of the launcher too.",
      "",
      "A program to begin with, Hello.java:",
      "  void main() {",
      "    IO.println(\"I am \" + System.getenv(\"BUSBAR_RANK\"));",
      "  }",
      "",
      "Examples:",
      "  ./busbar run Hello.java                  one process",
      "  ./busbar run -n 4 Hello.java a b         four, with arguments a and b each",
      "  ./busbar run -n 4 --label Hello.java     each line says which one wrote it",
      "  ./busbar run -n 4 --java-opts=-Xmx1g Hello.java",
      "  ./busbar run -n 4 -cp build:lib/tools.jar org.example.Main a b",
      "  ./busbar run -n 4 -jar program.jar a b",
      "  ./busbar run -n 4 --mpj -jar mpj-program.jar a b",
      "  ./busbar run --hosts node1:2,node2:2 -jar program.jar",
      "  ./busbar run -n 4 --check --watch-deadlock=10 examples/Heat.java",
      "  ./busbar run -n 2 --capture /tmp/c examples/Ping.java",
      "  echo 42 | ./busbar run -n 2 Hello.java   rank 0 can read the 42",
      "",
      "Exit codes: 0 all ended with 0; else that of the first process that failed, or",
      "128 + the signal that killed it; 1 the file does not compile, or a deadlock;",
      "2 bad usage; 130 Ctrl-C."
    })
final class RunCommand implements Callable<Integer> {
  /** As many as a job can have. */
  private static final int PROCESSES_MAX = 1024;

  private static final double WATCH_SECONDS_MIN = 0.5;
  private static final double WATCH_SECONDS_MAX = 86_400;

  private static final Pattern SPACES = Pattern.compile("\\s+");

  @Option(
      names = "-n",
      paramLabel = "N",
      description = "How many processes, 1 to 1024; default: 1, or all slots of the hosts.")
  private @Nullable Integer processes;

  @Option(
      names = "--hosts",
      paramLabel = "HOST[:SLOTS],...",
      description = "Run them on these hosts, so many on each, by ssh; default: here.")
  private @Nullable String hosts;

  @Option(
      names = "--hostfile",
      paramLabel = "FILE",
      description =
          "The same, HOST[:SLOTS] or HOST slots=SLOTS in each line; what follows a # is a remark.")
  private @Nullable Path hostFile;

  @Option(
      names = "--ssh",
      paramLabel = "COMMAND",
      defaultValue = "ssh -o BatchMode=yes",
      description = "What is given a host and a command for it; default: ${DEFAULT-VALUE}.")
  private String ssh = "";

  @Option(names = "--label", description = "Begin each line of output with [rank].")
  private boolean label;

  @Option(
      names = "--pin",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Give each process its own share of the processors, or do not; default: do.")
  private boolean pin = true;

  @Option(
      names = "--java-opts",
      paramLabel = "OPTIONS",
      description = "Options for the JVMs, separated by spaces; may be repeated.")
  private List<String> javaOptions = new ArrayList<>();

  @Option(
      names = "--fabric",
      paramLabel = "NAMES",
      description = {
        "The carriers that nodes use: shm, packet, xdp, udp, with commas, the preferred one first;"
            + " of packet|udp the one that measures better. Default: shm,packet|udp."
      })
  private @Nullable String fabrics;

  @Option(
      names = "--capture",
      paramLabel = "FOLDER",
      description = "Write all frames to files in FOLDER, which is made, for Wireshark.")
  private @Nullable Path capture;

  @Option(
      names = "--check",
      description =
          "Let MPI compare what the members of a communicator call, and report leftovers.")
  private boolean check;

  @Option(
      names = "--watch-deadlock",
      paramLabel = "SECONDS",
      arity = "0..1",
      preprocessor = Seconds.class,
      description =
          "Show who waits for whom in MPI when nobody has gone on for so long, 5 s if it is not"
              + " said; end the job if it is a deadlock.")
  private @Nullable Double watchSeconds;

  /** Only a number is taken for the seconds: what follows may be the program. */
  static final class Seconds implements IParameterPreprocessor {
    private static final String DEFAULT = "5";

    @Override
    public boolean preprocess(
        Stack<String> args, CommandSpec spec, ArgSpec option, Map<String, Object> info) {
      if (args.isEmpty() || !args.peek().matches("-?[0-9.]+")) {
        args.push(DEFAULT);
      }
      return false;
    }
  }

  @Option(
      names = "--mpj",
      description = "Give the program the arguments that MPJ Express does: RANK N niodev first.")
  private boolean mpj;

  @Option(
      names = {"-cp", "-classpath", "--class-path"},
      paramLabel = "PATH",
      description = "Folders and jars of classes, with colons; folder/* is all jars in it.")
  private @Nullable String classPath;

  @Option(names = "-jar", description = "The program is a jar whose manifest has a Main-Class.")
  private boolean jar;

  @Parameters(
      index = "0",
      paramLabel = "FILE.java",
      description = "The program; with -cp it may be the name of a class, with -jar it is a jar.")
  private String program = "";

  @Parameters(
      index = "1..*",
      paramLabel = "ARGUMENT",
      arity = "0..*",
      description = "What the program is given, options too.")
  private List<String> arguments = new ArrayList<>();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    HostList list = hostList();
    int size = size(list);
    try {
      Pinning pinning = pin && list == null ? Pinning.here(size) : Pinning.NONE;
      return new Launch(
              program(),
              rank -> arguments(rank, size),
              size,
              label,
              javaOptions(),
              seats(list),
              pinning,
              patienceNs())
          .run(spec().commandLine().getErr());
    } catch (Program.NoProgram e) {
      throw misuse(String.valueOf(e.getMessage()));
    }
  }

  private long patienceNs() {
    if (watchSeconds == null) {
      return 0;
    }
    if (!(watchSeconds >= WATCH_SECONDS_MIN && watchSeconds <= WATCH_SECONDS_MAX)) {
      throw misuse(
          "--watch-deadlock is %s; it must be %s to %s seconds"
              .formatted(watchSeconds, WATCH_SECONDS_MIN, WATCH_SECONDS_MAX));
    }
    return (long) (watchSeconds * 1e9);
  }

  private @Nullable HostList hostList() {
    if (hosts != null && hostFile != null) {
      throw misuse("--hosts and --hostfile say the same; give one of them");
    }
    try {
      if (hostFile != null) {
        return HostList.read(hostFile);
      }
      return hosts == null ? null : HostList.parse(hosts);
    } catch (IOException e) {
      throw misuse("cannot read the hosts in %s: %s".formatted(hostFile, e));
    } catch (IllegalArgumentException e) {
      throw misuse(String.valueOf(e.getMessage()));
    }
  }

  private int size(@Nullable HostList list) {
    int slots = list == null ? 1 : list.slots().size();
    int size = processes == null ? slots : processes;
    if (size < 1 || size > PROCESSES_MAX) {
      throw misuse("-n is %d; it must be 1 to %d".formatted(size, PROCESSES_MAX));
    }
    if (list != null && size > slots) {
      throw misuse("-n is %d, and the hosts have %d slots; add hosts".formatted(size, slots));
    }
    return size;
  }

  private IntFunction<Seat> seats(@Nullable HostList list) {
    Map<String, String> environment = environment();
    if (list == null) {
      Seat seat = new LocalSeat(List.of(), environment);
      return rank -> seat;
    }
    environment.put(RunEnvironment.SEEDS, String.join(",", list.seeds()));
    List<String> command = List.of(SPACES.split(ssh.strip()));
    return rank -> new RemoteSeat(command, list.slots().get(rank), environment);
  }

  private Program program() {
    if (jar && classPath != null) {
      throw misuse("-cp does nothing beside -jar; name libraries in the manifest's Class-Path");
    }
    if (jar) {
      return new JarProgram(Path.of(program));
    }
    List<Path> path = classPath == null ? List.of() : ClassPath.parse(classPath);
    return path.isEmpty() || program.endsWith(SourceProgram.SUFFIX)
        ? new SourceProgram(Path.of(program), path)
        : new ClassProgram(program, path);
  }

  /** MPJ Express, when all processes are on one host, names the rank, how many, and its device. */
  private List<String> arguments(int rank, int size) {
    List<String> all = new ArrayList<>();
    if (mpj) {
      all.addAll(List.of(Integer.toString(rank), Integer.toString(size), "niodev"));
    }
    all.addAll(arguments);
    return all;
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    if (mpj) {
      environment.put(RunEnvironment.MPJ, "1");
    }
    if (check) {
      environment.put(RunEnvironment.CHECK, "1");
    }
    if (capture != null) {
      environment.put(RunEnvironment.CAPTURE, capture.toAbsolutePath().toString());
    }
    if (fabrics != null) {
      environment.put(RunEnvironment.FABRICS, fabrics);
      try {
        NodeConfig _ = NodeConfig.of(Map.of(RunEnvironment.FABRICS, fabrics));
      } catch (IllegalArgumentException e) {
        throw misuse("--fabric is %s: %s".formatted(fabrics, e.getMessage()));
      }
    }
    return environment;
  }

  /** Those of the environment first, so that those of the command line win. */
  private List<String> javaOptions() {
    List<String> texts = new ArrayList<>();
    String inherited = System.getenv(RunEnvironment.JAVA_OPTIONS);
    if (inherited != null) {
      texts.add(inherited);
    }
    texts.addAll(javaOptions);
    return texts.stream().flatMap(SPACES::splitAsStream).filter(word -> !word.isEmpty()).toList();
  }

  private CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("the command was not started by picocli");
    }
    return spec;
  }

  private ParameterException misuse(String what) {
    return Main.misuse(spec, what);
  }
}
