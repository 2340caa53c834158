package io.busbar.bench.contest;

import io.busbar.lab.bed.HostProcess;
import io.busbar.lab.bed.Packages;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * An MPI in C: both ends are ranks of one job, and one process speaks for both. Between two hosts
 * they meet over TCP; nobody may guess that both are on one machine and take shared memory.
 */
enum MpiJob {
  /** Open MPI. */
  OPEN("mpirun.openmpi", "mpicc.openmpi", "openmpi-bin libopenmpi-dev") {
    @Override
    List<String> command(Scene scene, Path agent, Path program) {
      List<String> command = new ArrayList<>(List.of(launcher, "--allow-run-as-root"));
      command.addAll(List.of("--bind-to", "none", "--oversubscribe"));
      command.addAll(List.of("--mca", "mpi_yield_when_idle", outnumbered() ? "1" : "0"));
      if (scene.isBetweenHosts()) {
        String net = scene.askingAddress() + "/24";
        command.addAll(List.of("--host", "%s,%s".formatted(one(scene), other(scene))));
        command.addAll(List.of("--mca", "plm_rsh_agent", agent.toString()));
        command.addAll(List.of("--mca", "pml", "ob1", "--mca", "btl", "tcp,self"));
        command.addAll(List.of("--mca", "btl_tcp_if_include", net));
        command.addAll(List.of("--mca", "oob_tcp_if_include", net));
      } else {
        command.addAll(List.of("-n", "2"));
      }
      command.add(program.toString());
      return command;
    }

    @Override
    String setup(boolean betweenHosts) {
      return "Debian's openmpi-bin, in C; "
          + (betweenHosts ? "btl tcp,self" : "shared memory")
          + WINDOWS;
    }
  },

  /** MPICH, which moves its bytes with UCX. */
  MPICH("mpirun.mpich", "mpicc.mpich", "mpich libmpich-dev") {
    @Override
    List<String> command(Scene scene, Path agent, Path program) {
      List<String> command = new ArrayList<>();
      if (scene.isBetweenHosts()) {
        String devices = scene.asking().deviceName() + "," + scene.answering().deviceName();
        command.addAll(List.of("env", "UCX_TLS=tcp,self", "UCX_NET_DEVICES=" + devices));
        command.addAll(List.of("UCX_LOG_LEVEL=error"));
      }
      command.add(launcher);
      command.addAll(List.of("-bind-to", "none", "-n", "2"));
      if (scene.isBetweenHosts()) {
        command.addAll(List.of("-launcher", "ssh", "-launcher-exec", agent.toString()));
        command.addAll(List.of("-iface", scene.asking().deviceName(), "-ppn", "1"));
        command.addAll(List.of("-hosts", "%s,%s".formatted(one(scene), other(scene))));
      }
      command.add(program.toString());
      return command;
    }

    @Override
    String setup(boolean betweenHosts) {
      return "Debian's mpich, in C, over UCX; "
          + (betweenHosts ? "tcp,self" : "shared memory")
          + WINDOWS;
    }
  };

  private static final String SOURCE = "mpi-stations.c";

  /** The file of {@link #AGENT}. */
  static final String AGENT_NAME = "agent";

  private static final String WINDOWS =
      "; no binding; floods are windows of 64 MPI_Isend and MPI_Irecv";

  /** Starts what it is told in a host, by the name of its namespace, as ssh would. */
  private static final String AGENT =
      """
      #!/bin/sh
      while [ "${1#-}" != "$1" ]; do shift; done
      host=$1
      shift
      exec ip netns exec "$host" unshare --uts /bin/sh -c \\
        'echo "$0" >/proc/sys/kernel/hostname; exec /bin/sh -c "$*"' "$host" "$@"
      """;

  final String launcher;
  private final String compiler;
  private final String packages;

  MpiJob(String launcher, String compiler, String packages) {
    this.launcher = launcher;
    this.compiler = compiler;
    this.packages = packages;
  }

  abstract List<String> command(Scene scene, Path agent, Path program);

  /** How it is set up. */
  abstract String setup(boolean betweenHosts);

  static boolean outnumbered() {
    return Runtime.getRuntime().availableProcessors() < 2;
  }

  static String one(Scene scene) {
    return scene.asking().name();
  }

  static String other(Scene scene) {
    return scene.answering().name();
  }

  /** Compiles and starts the job; its process answers for both ends. */
  HostProcess start(Scene scene, Folder folder, Packages installed) {
    Path program = compile(folder, installed, MpiJob.class, SOURCE);
    return scene.asking().start(command(scene, folder.file(AGENT_NAME), program));
  }

  /**
   * Compiles a program, and writes the agent that starts it in other hosts beside it.
   *
   * @param owner beside which the source is
   */
  Path compile(Folder folder, Packages installed, Class<?> owner, String sourceName) {
    List<String> all = List.of((packages + " gcc libc6-dev").split(" ", -1));
    installed.need(launcher, all);
    installed.need(compiler, all);
    Path program = folder.file(name());
    Path source = folder.file(sourceName);
    Path agent = folder.file(AGENT_NAME);
    try (InputStream text = owner.getResourceAsStream(sourceName)) {
      Files.write(source, Objects.requireNonNull(text, sourceName).readAllBytes());
      Files.writeString(agent, AGENT);
      Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwx------"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + folder, e);
    }
    Packages.run(List.of(compiler, "-O2", "-w", "-o", program.toString(), source.toString()));
    return program;
  }
}
