package io.busbar.node;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a process joins. The peers of a job are those that come to the same meeting; without one the
 * node is alone.
 *
 * @param cluster the cluster's name: frames of others are not heard
 * @param name what people call this node
 * @param rank this process's number in its job, which is its node id
 * @param size processes of the job
 * @param meeting the folder in which they tell each other where they are; null when alone
 * @param host the address that UDP is bound to; raw Ethernet uses the interface that has it
 * @param fabrics carriers to use: {@code shm}, {@code xdp}, {@code packet}, {@code udp}. The first
 *     one that reaches a peer is used. Of {@code packet|udp} the better one is, as measured between
 *     the two nodes; the last one, unless another one is better
 * @param shmDirectory where shared memory is
 * @param patienceNs how long to wait for the others at the meeting
 * @param capture the folder into which all frames are written, for Wireshark; null when they are
 *     not
 * @param discovery how others are found that were not told of; null when peers are given
 */
public record NodeConfig(
    String cluster,
    String name,
    int rank,
    int size,
    @Nullable Path meeting,
    String host,
    List<String> fabrics,
    String shmDirectory,
    long patienceNs,
    @Nullable Path capture,
    @Nullable Discovery discovery) {
  /** The variables that a launcher sets. */
  public static final String RANK = "BUSBAR_RANK";

  /** How many processes the job has. */
  public static final String SIZE = "BUSBAR_SIZE";

  /** The job's name, which is the cluster's. */
  public static final String JOB = "BUSBAR_JOB";

  /** The folder in which the processes of the job meet. */
  public static final String MEETING = "BUSBAR_MEETING";

  /** The address that UDP is bound to, and whose interface raw Ethernet uses. */
  public static final String HOST = "BUSBAR_HOST";

  /** A cluster whose nodes find each other: its name. */
  public static final String CLUSTER = "BUSBAR_CLUSTER";

  /** Its name unless it is given one. */
  public static final String CLUSTER_DEFAULT = "busbar";

  /** Nodes that broadcast does not reach, with commas. */
  public static final String SEEDS = "BUSBAR_SEEDS";

  /** A file with one of them in each line. */
  public static final String HOSTS = "BUSBAR_HOSTS";

  /** All carriers that there are. */
  public static final List<String> FABRICS = List.of("shm", "xdp", "packet", "udp");

  /** What is used unasked: shared memory, or else what measures better. */
  public static final List<String> AUTOMATIC = List.of("shm", "packet|udp");

  /** The carriers to use, with commas; not set or empty: {@link #AUTOMATIC}. */
  public static final String USED = "BUSBAR_FABRICS";

  /** The folder into which frames are captured; not set: they are not. */
  public static final String CAPTURE = "BUSBAR_CAPTURE";

  private static final long PATIENCE_NS = 30_000_000_000L;

  /** Refuses what cannot work, by name. */
  public NodeConfig {
    if (size < 1 || size > 1024) {
      throw new IllegalArgumentException("size is %d; allowed: 1 to 1024".formatted(size));
    }
    if (rank < 0 || rank >= size) {
      throw new IllegalArgumentException("rank is %d; allowed: 0 to %d".formatted(rank, size - 1));
    }
    if (size > 1 && meeting == null) {
      throw new IllegalArgumentException(
          "%d processes need a folder to meet in, or seeds to find each other: set %s or %s, or use"
                  .formatted(size, MEETING, SEEDS)
              + " `busbar run`");
    }
    fabrics = List.copyOf(fabrics);
    for (String choice : fabrics) {
      List<String> names = alternatives(choice);
      for (String fabric : names) {
        if (!FABRICS.contains(fabric)) {
          throw new IllegalArgumentException(
              "there is no fabric %s; allowed: %s".formatted(fabric, String.join(", ", FABRICS)));
        }
      }
      if (names.size() > 1 && names.contains("shm")) {
        throw new IllegalArgumentException(
            "%s: shared memory is not measured against others; write shm,%s"
                .formatted(choice, choice.replaceAll("shm\\||\\|shm", "")));
      }
    }
  }

  /** The carriers of which the better one is to be used. */
  static List<String> alternatives(String choice) {
    return List.of(choice.split("\\|", -1));
  }

  /** Without a capture, with given peers. */
  public NodeConfig(
      String cluster,
      String name,
      int rank,
      int size,
      @Nullable Path meeting,
      String host,
      List<String> fabrics,
      String shmDirectory,
      long patienceNs) {
    this(cluster, name, rank, size, meeting, host, fabrics, shmDirectory, patienceNs, null, null);
  }

  /**
   * As the environment says: one of a job of {@code busbar run}, or a member of the cluster that
   * {@link #CLUSTER} names, or one of a job of another launcher that {@link Launchers} knows, or
   * else alone.
   */
  public static NodeConfig defaults() {
    return of(System.getenv());
  }

  /** As an environment says. */
  public static NodeConfig of(Map<String, String> environment) {
    String cluster = environment.getOrDefault(CLUSTER, "");
    if (!environment.containsKey(SIZE) && !cluster.isEmpty()) {
      return member(cluster, Discovery.onSegment(), environment);
    }
    Launchers.Seat seat = Launchers.seat(environment);
    if (seat != null && seat.size() > 1 && isFound(environment)) {
      Discovery others = Discovery.onSegment().withId(seat.rank()).expecting(seat.size()).ofJob();
      return member(Launchers.job(environment), others, environment)
          .named("node-" + seat.rank())
          .withDatagrams();
    }
    int rank = number(environment, RANK, 0);
    int size = number(environment, SIZE, 1);
    String meeting = environment.get(MEETING);
    String capture = environment.get(CAPTURE);
    String fabrics = environment.get(USED);
    return new NodeConfig(
        environment.getOrDefault(JOB, CLUSTER_DEFAULT),
        "node-" + rank,
        rank,
        size,
        meeting == null ? null : Path.of(meeting),
        environment.getOrDefault(HOST, "127.0.0.1"),
        fabrics == null || fabrics.isEmpty() ? AUTOMATIC : List.of(fabrics.split(",", -1)),
        "/dev/shm",
        PATIENCE_NS,
        capture == null || capture.isEmpty() ? null : Path.of(capture),
        null);
  }

  /** Whether the processes of a job have nowhere to meet, and must find each other. */
  private static boolean isFound(Map<String, String> environment) {
    boolean isTold = environment.containsKey(SEEDS) || environment.containsKey(HOSTS);
    return !environment.containsKey(MEETING) && (isTold || !environment.containsKey(SIZE));
  }

  private static NodeConfig member(
      String cluster, Discovery found, Map<String, String> environment) {
    Discovery discovery = found;
    String hosts = environment.getOrDefault(HOSTS, "");
    String seeds = environment.getOrDefault(SEEDS, "");
    String fabrics = environment.getOrDefault(USED, "");
    String capture = environment.getOrDefault(CAPTURE, "");
    if (!seeds.isEmpty()) {
      discovery = discovery.withSeeds(List.of(seeds.split(",", -1)));
    }
    if (!hosts.isEmpty()) {
      discovery = discovery.withHosts(Path.of(hosts));
    }
    NodeConfig config = find(cluster, discovery);
    config = environment.containsKey(HOST) ? config.withHost(environment.get(HOST)) : config;
    config = fabrics.isEmpty() ? config : config.withFabrics(fabrics.split(",", -1));
    return capture.isEmpty() ? config : config.withCapture(Path.of(capture));
  }

  /** In a cluster whose nodes find each other, on the first interface that leads elsewhere. */
  public static NodeConfig find(String cluster, Discovery discovery) {
    return new NodeConfig(
        cluster,
        "%s-%d".formatted(Carriers.hostName(), ProcessHandle.current().pid()),
        0,
        1,
        null,
        "0.0.0.0",
        AUTOMATIC,
        "/dev/shm",
        PATIENCE_NS,
        null,
        discovery);
  }

  /**
   * As one of the same job, whose processes are not told of each other but find each other. Then
   * they can also send to all.
   */
  public NodeConfig found() {
    Discovery others = Discovery.onSegment().withId(rank).expecting(size);
    NodeConfig made =
        find(cluster, others)
            .named(name)
            .withHost(host)
            .withShmDirectory(shmDirectory)
            .withFabrics(fabrics.toArray(String[]::new))
            .withDatagrams();
    return capture == null ? made : made.withCapture(capture);
  }

  /** With the carrier by which others are found. */
  private NodeConfig withDatagrams() {
    List<String> all = new ArrayList<>(fabrics);
    if (all.stream().noneMatch(choice -> alternatives(choice).contains("udp"))) {
      all.add("udp");
    }
    return withFabrics(all.toArray(String[]::new));
  }

  /** In another cluster. */
  public NodeConfig in(String other) {
    return copy(made -> made.cluster = other);
  }

  /** With another name. */
  public NodeConfig named(String other) {
    return copy(made -> made.name = other);
  }

  /** What a variable says, which must be a number when it is there. */
  static int number(Map<String, String> environment, String name, int otherwise) {
    String text = environment.get(name);
    try {
      return text == null ? otherwise : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("%s is %s, which is no number".formatted(name, text), e);
    }
  }

  /** With these carriers alone. */
  public NodeConfig withFabrics(String... names) {
    return copy(made -> made.fabrics = List.of(names));
  }

  /** As one process of a job. */
  public NodeConfig as(int otherRank, int otherSize, Path folder) {
    return copy(
        made -> {
          made.name = "node-" + otherRank;
          made.rank = otherRank;
          made.size = otherSize;
          made.meeting = folder;
        });
  }

  /** With UDP bound to an address. */
  public NodeConfig withHost(String address) {
    return copy(made -> made.host = address);
  }

  /** With shared memory in another directory, which all that shall meet there name. */
  public NodeConfig withShmDirectory(String directory) {
    return copy(made -> made.shmDirectory = directory);
  }

  /** With all frames written to files in a folder, {@code rank-N-FABRIC.pcap}. */
  public NodeConfig withCapture(Path folder) {
    return copy(made -> made.capture = folder);
  }

  /** With some values changed. */
  private NodeConfig copy(Consumer<Copy> change) {
    Copy made = new Copy(this);
    change.accept(made);
    return made.made();
  }

  private static final class Copy {
    String cluster;
    String name;
    int rank;
    int size;
    @Nullable Path meeting;
    String host;
    List<String> fabrics;
    String shmDirectory;
    final long patienceNs;
    @Nullable Path capture;
    final @Nullable Discovery discovery;

    Copy(NodeConfig of) {
      cluster = of.cluster;
      name = of.name;
      rank = of.rank;
      size = of.size;
      meeting = of.meeting;
      host = of.host;
      fabrics = of.fabrics;
      shmDirectory = of.shmDirectory;
      patienceNs = of.patienceNs;
      capture = of.capture;
      discovery = of.discovery;
    }

    NodeConfig made() {
      return new NodeConfig(
          cluster,
          name,
          rank,
          size,
          meeting,
          host,
          fabrics,
          shmDirectory,
          patienceNs,
          capture,
          discovery);
    }
  }
}
