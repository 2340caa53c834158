package io.busbar.cli;

import io.busbar.lab.bed.TestBed;
import io.busbar.node.NodeConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code busbar demo}: processes of this host exchange messages, and a table shows how fast. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Starts four processes on this machine, which exchange messages over shared memory and over"
          + " UDP, and prints how fast. It takes about 20 seconds, and needs no rights.",
      ""
    },
    footer = {
      "",
      "For each carrier and node: half of the round trips of four words were faster",
      "than the first figure; then messages of 64 bytes a second, and bytes of",
      "messages of 64 KB, until the receiver's handler had taken the last one.",
      "",
      "It is a demonstration: what is compared with others, and with the least code",
      "that does the same, comes from ./busbar bench.",
      "",
      "With BUSBAR_CAPTURE=FOLDER in the environment every process writes its frames",
      "to files in FOLDER that Wireshark opens; then the figures are lower.",
      "",
      "Examples:",
      "  ./busbar demo               four processes",
      "  ./busbar demo -n 2          two",
      "  ./busbar demo --fabric udp  over UDP alone",
      "  ./busbar demo --quick       some seconds",
      "  ./busbar demo --fabric xdp  raw Ethernet between namespaces of its own (root)"
    })
final class DemoCommand implements Callable<Integer> {
  private static final int PROCESSES_MAX = 16;
  private static final List<String> RAW = List.of("packet", "xdp");

  @Option(
      names = "-n",
      paramLabel = "N",
      defaultValue = "4",
      description = "How many processes, 2 to 16; default: ${DEFAULT-VALUE}.")
  private int processes = 4;

  @Option(
      names = "--fabric",
      paramLabel = "NAME",
      description =
          "shm, udp, packet or xdp; may be repeated; default: shm and udp. With packet or xdp,"
              + " processes run in network namespaces that are made for it, which needs root.")
  private List<String> fabrics = List.of("shm", "udp");

  @Option(names = "--quick", description = "Measures an eighth of the time: coarser, and colder.")
  private boolean quick;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (processes < 2 || processes > PROCESSES_MAX) {
      throw Main.misuse(spec, "-n is %d; it must be 2 to %d".formatted(processes, PROCESSES_MAX));
    }
    for (String fabric : fabrics) {
      if (!NodeConfig.FABRICS.contains(fabric)) {
        throw Main.misuse(
            spec,
            "there is no fabric %s; there are %s"
                .formatted(fabric, String.join(", ", NodeConfig.FABRICS)));
      }
    }
    try {
      return run();
    } catch (Program.NoProgram e) {
      throw new IllegalStateException(e);
    }
  }

  /** What needs an Ethernet gets one, and whatever is compared with it runs there, too. */
  private int run() throws IOException, InterruptedException, Program.NoProgram {
    boolean raw = fabrics.stream().anyMatch(RAW::contains);
    List<String> apart =
        raw ? fabrics.stream().filter(fabric -> !fabric.equals("shm")).toList() : List.of();
    List<String> here = fabrics.stream().filter(fabric -> !apart.contains(fabric)).toList();
    int status = here.isEmpty() ? 0 : launch(here, rank -> LocalSeat.HERE);
    if (status != 0 || apart.isEmpty()) {
      return status;
    }
    String obstacle = TestBed.obstacle();
    if (!obstacle.isEmpty()) {
      Objects.requireNonNull(spec).commandLine().getErr().println("busbar demo: " + obstacle);
      return Main.FAILED;
    }
    try (TestBed bed = processes == 2 ? TestBed.pair() : TestBed.create(processes)) {
      return launch(apart, rank -> LocalSeat.in(bed.host(rank)));
    }
  }

  private int launch(List<String> over, IntFunction<Seat> seats)
      throws IOException, InterruptedException, Program.NoProgram {
    List<String> arguments = new ArrayList<>(quick ? List.of("--quick") : List.of());
    arguments.addAll(over);
    return new Launch(
            new OwnProgram("Demo.java"), rank -> arguments, processes, false, List.of(), seats)
        .run(Objects.requireNonNull(spec).commandLine().getErr());
  }
}
