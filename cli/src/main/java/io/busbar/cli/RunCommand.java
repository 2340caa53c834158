package io.busbar.cli;

import io.busbar.node.NodeConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code busbar run}: runs a Java source file as processes that can meet. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Compiles a Java source file, which may import all of Busbar, and runs it as N processes on"
          + " this host. What follows FILE.java goes to the program.",
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
      "Output is passed on in whole lines, those of one process in order; lines of",
      "more than 64 KB may be broken by others. One process without tags has the",
      "terminal to itself. Standard input goes to rank 0.",
      "",
      "The first process that fails ends the others: SIGTERM, and SIGKILL 3 s later.",
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
      "  ./busbar run -n 4 --java-opts=-Xmx1g Hello.java",
      "  ./busbar run -n 2 --capture /tmp/c examples/Ping.java",
      "  echo 42 | ./busbar run -n 2 Hello.java   rank 0 can read the 42",
      "",
      "Exit codes: 0 all ended with 0; else that of the first process that failed, or",
      "128 + the signal that killed it; 1 the file does not compile; 2 bad usage;",
      "130 Ctrl-C."
    })
final class RunCommand implements Callable<Integer> {
  /** More JVMs than that are no use on one host. */
  private static final int PROCESSES_MAX = 1024;

  private static final Pattern SPACES = Pattern.compile("\\s+");

  @Option(
      names = "-n",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many processes, 1 to 1024; default: ${DEFAULT-VALUE}.")
  private int processes = 1;

  @Option(
      names = "--tag",
      negatable = true,
      description = "Begin each line of output with [rank], or do not; default: when N > 1.")
  private @Nullable Boolean tag;

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

  @Parameters(index = "0", paramLabel = "FILE.java", description = "The program.")
  private Path file = Path.of("");

  @Parameters(
      index = "1..*",
      paramLabel = "ARGUMENT",
      arity = "0..*",
      description = "What the program is given, options too.")
  private List<String> arguments = new ArrayList<>();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (processes < 1 || processes > PROCESSES_MAX) {
      throw misuse("-n is %d; it must be 1 to %d".formatted(processes, PROCESSES_MAX));
    }
    if (!file.toString().endsWith(".java")) {
      throw misuse("%s is no Java source file; its name must end in .java".formatted(file));
    }
    if (!Files.isRegularFile(file)) {
      throw misuse(
          Files.exists(file)
              ? "%s is no file; give the path of a Java source file".formatted(file)
              : "there is no file %s; give the path of a Java source file".formatted(file));
    }
    boolean tagged = tag != null ? tag : processes > 1;
    try {
      Seat seat = new Seat(List.of(), environment());
      return new Launch(file, arguments, processes, tagged, javaOptions(), rank -> seat)
          .run(spec().commandLine().getErr());
    } catch (Launch.NoMain e) {
      throw misuse(String.valueOf(e.getMessage()));
    }
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
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
