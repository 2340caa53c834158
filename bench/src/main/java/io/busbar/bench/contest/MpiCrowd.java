package io.busbar.bench.contest;

import io.busbar.bench.Bench;
import io.busbar.lab.bed.HostProcess;
import io.busbar.lab.bed.Packages;
import io.busbar.lab.bed.TestBed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** An Open MPI program in C with a rank in each of many hosts, over TCP; idle ranks yield. */
public final class MpiCrowd implements AutoCloseable {
  private final Folder folder = Folder.forPrograms();
  private final HostProcess process;

  /**
   * Compiles and starts it.
   *
   * @param owner beside which the source is
   * @throws IllegalStateException when there is no Open MPI, with what to do
   */
  public MpiCrowd(Bench.Report report, TestBed bed, int ranks, Class<?> owner, String source) {
    Packages installed = new Packages(report.mayInstall(), report::progress);
    Path program = MpiJob.OPEN.compile(folder, installed, owner, source);
    Path agent = folder.file(MpiJob.AGENT_NAME);
    process = bed.host(0).start(command(bed, ranks, agent, program));
  }

  private static List<String> command(TestBed bed, int ranks, Path agent, Path program) {
    String net = bed.host(0).addressText() + "/24";
    List<String> command = new ArrayList<>(List.of(MpiJob.OPEN.launcher, "--allow-run-as-root"));
    command.addAll(List.of("--bind-to", "none", "--oversubscribe"));
    command.addAll(List.of("--mca", "mpi_yield_when_idle", "1"));
    command.add("--host");
    command.add(
        bed.hosts().subList(0, ranks).stream()
            .map(host -> host.name())
            .collect(Collectors.joining(",")));
    command.addAll(List.of("--mca", "plm_rsh_agent", agent.toString()));
    command.addAll(List.of("--mca", "pml", "ob1", "--mca", "btl", "tcp,self"));
    command.addAll(List.of("--mca", "btl_tcp_if_include", net));
    command.addAll(List.of("--mca", "oob_tcp_if_include", net));
    command.add(program.toString());
    return command;
  }

  /** The process of rank 0, as far as words go. */
  public HostProcess process() {
    return process;
  }

  @Override
  public void close() {
    process.close();
    folder.close();
  }
}
