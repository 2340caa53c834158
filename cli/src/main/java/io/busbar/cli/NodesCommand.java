package io.busbar.cli;

import io.busbar.bus.BusCount;
import io.busbar.bus.Member;
import io.busbar.bus.MemberEvent;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.Messages;
import io.busbar.node.Discovery;
import io.busbar.node.NodeConfig;
import io.busbar.node.Place;
import io.busbar.wire.Incarnation;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code busbar nodes}: who is there in the cluster on this segment. */
@Command(
    name = "nodes",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the members of the cluster on this segment, with their state and age. It joins the"
          + " cluster for that, so that others see it, too, and leaves when it is done.",
      ""
    },
    footer = {
      "",
      "A node is alive, suspected (it did not answer, and may still), dead (it did",
      "not answer for long) or has left. Carriers are those by which it can be",
      "reached; each two nodes use the best one that both have.",
      "",
      "Examples:",
      "  ./busbar nodes                        who is there",
      "  ./busbar nodes --watch                and who comes and goes, until Ctrl-C",
      "  ./busbar nodes --cluster trade        in another cluster on the same segment",
      "  ./busbar nodes --host 10.0.0.7        on the interface with this address",
      "  ./busbar nodes --seed 10.1.0.9        where broadcast does not reach",
      "  ./busbar nodes --watch --json         one object a line, for programs",
      "",
      "Exit codes: 0 done, 1 it cannot join, 2 bad usage."
    })
final class NodesCommand implements Callable<Integer>, MessageEvents {
  private static final double SECONDS_MIN = 0.05;
  private static final double SECONDS_MAX = 3600;
  private static final long LOOK_NS = 50_000_000;
  private static final int LOOKS = 20;
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      defaultValue = NodeConfig.CLUSTER_DEFAULT,
      description = "The cluster's name; default: ${DEFAULT-VALUE}.")
  private String cluster = NodeConfig.CLUSTER_DEFAULT;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "An address of this host; default: the first that leads elsewhere.")
  private String host = "0.0.0.0";

  @Option(
      names = "--group",
      paramLabel = "ADDRESS:PORT",
      description = "Where all hear; default: " + Discovery.GROUP + ".")
  private String group = Discovery.GROUP;

  @Option(
      names = "--seed",
      paramLabel = "HOST[:PORT]",
      description = "A node that broadcast does not reach; may be repeated.")
  private List<String> seeds = new ArrayList<>();

  @Option(names = "--hosts", paramLabel = "FILE", description = "Seeds, one in each line.")
  private @Nullable Path hosts;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "1",
      description = "How long others are waited for; default: ${DEFAULT-VALUE}.")
  private double wait = 1;

  @Option(names = "--watch", description = "Then tell who comes and goes, until Ctrl-C.")
  private boolean watch;

  @Option(names = "--for", paramLabel = "SECONDS", description = "Stop watching after so long.")
  private @Nullable Double watchFor;

  @Option(names = "--json", description = "One JSON object a node or event, each on a line.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  /** Events before the list was shown are in it. */
  private boolean shown;

  private volatile @Nullable Messages messages;
  private volatile boolean ended;
  private volatile boolean left;

  @Override
  public Integer call() throws InterruptedException {
    check("--wait", wait);
    if (watchFor != null) {
      if (!watch) {
        throw Main.misuse(spec, "--for belongs to --watch");
      }
      check("--for", watchFor);
    }
    Thread leaving = Thread.ofPlatform().name("busbar-nodes-leave").unstarted(this::end);
    try (Messages fm = Messages.join(config(), this)) {
      Runtime.getRuntime().addShutdownHook(leaving);
      messages = fm;
      boolean _ = fm.await(() -> ended, (long) (wait * 1e9));
      show(fm);
      shown = true;
      if (watch) {
        long ns = watchFor == null ? Long.MAX_VALUE / 2 : (long) (watchFor * 1e9);
        boolean _ = fm.await(() -> ended, ns);
      }
    }
    left = true;
    return 0;
  }

  /** Ctrl-C: the others hear that it leaves. */
  private void end() {
    ended = true;
    Messages fm = messages;
    if (fm != null) {
      fm.wake();
    }
    for (int i = 0; i < LOOKS && !left; i++) {
      LockSupport.parkNanos(LOOK_NS);
    }
  }

  private void check(String name, double seconds) {
    if (!(seconds >= SECONDS_MIN && seconds <= SECONDS_MAX)) {
      throw Main.misuse(
          spec,
          "%s is %s seconds; from %s to %s".formatted(name, seconds, SECONDS_MIN, SECONDS_MAX));
    }
  }

  private NodeConfig config() {
    Discovery discovery =
        Discovery.onSegment().withSeeds(seeds).withAttributes(Map.of("role", "looks"));
    if (hosts != null) {
      discovery = discovery.withHosts(hosts);
    }
    return NodeConfig.find(cluster, discovery.withGroup(group))
        .named("busbar-nodes-" + ProcessHandle.current().pid())
        .withHost(host)
        .withFabrics("udp");
  }

  // What is shown.

  private void show(Messages fm) {
    List<Member> members = fm.node().members();
    if (json) {
      members.forEach(
          member -> System.out.println(json("node", "", member, member.id() == fm.node().id())));
      showForeign(fm.node());
      return;
    }
    Columns table = new Columns(List.of("ID", "<NAME", "<HOST", "<STATE", "AGE", "<CARRIERS"));
    for (Member member : members) {
      table.add(
          List.of(
              Integer.toString(member.id()),
              member.card().name() + (member.id() == fm.node().id() ? " (this)" : ""),
              member.card().host(),
              state(member),
              age(member),
              String.join(" ", member.fabrics())));
    }
    System.out.println(table);
    if (members.size() == 1) {
      System.out.printf(
          "No other node of cluster %s answered within %s s.%n", cluster, Double.toString(wait));
    }
    showForeign(fm.node());
    System.out.flush();
  }

  /** Who speaks on the segment, and is not understood: a misspelt name, or another version. */
  private void showForeign(Place node) {
    node.take();
    long clusters = node.count(BusCount.DROP_CLUSTER);
    long versions = node.count(BusCount.DROP_VERSION);
    node.release();
    if (json && clusters + versions > 0) {
      System.out.printf(
          "{\"what\":\"foreign\",\"other_cluster_frames\":%d,\"other_version_frames\":%d}%n",
          clusters, versions);
      return;
    }
    if (clusters > 0) {
      System.out.printf("Nodes of another cluster speak here, too: %d frames.%n", clusters);
    }
    if (versions > 0) {
      System.out.printf("Nodes of another version speak here, too: %d frames.%n", versions);
    }
  }

  @Override
  public void onMember(MemberEvent event) {
    if (!shown) {
      return;
    }
    if (json) {
      String what = event.what().name().toLowerCase(Locale.ROOT);
      String view = "\"view\":%d,".formatted(event.view());
      System.out.println(json(what, view, event.member(), isSelf(event)));
    } else {
      Member member = event.member();
      System.out.printf(
          "%s  %-10s %5d  %s on %s%n",
          LocalTime.now(ZoneId.systemDefault()).format(CLOCK),
          event.what().name().toLowerCase(Locale.ROOT).replace('_', ' '),
          member.id(),
          member.card().name(),
          member.card().host());
    }
    System.out.flush();
  }

  private static String state(Member member) {
    return member.state().name().toLowerCase(Locale.ROOT);
  }

  private static String age(Member member) {
    Duration age =
        Duration.between(
            Instant.ofEpochMilli(Incarnation.startMs(member.incarnation())), Instant.now());
    long s = Math.max(0, age.toSeconds());
    if (s < 120) {
      return s + " s";
    }
    return s < 7200 ? "%d min".formatted(s / 60) : "%d h".formatted(s / 3600);
  }

  /** What happens to this node itself is an event, too. */
  private boolean isSelf(MemberEvent event) {
    Messages fm = messages;
    return fm != null && event.member().id() == fm.node().id();
  }

  private static String texts(List<String> all) {
    return all.stream().map(Json::text).collect(Collectors.joining(","));
  }

  /**
   * An object.
   *
   * @param view the number of the view of which it tells, as a field; nothing of the first list
   */
  private static String json(String what, String view, Member member, boolean isSelf) {
    return ("{\"what\":%s,%s\"id\":%d,\"name\":%s,\"host\":%s,\"state\":%s,\"incarnation\":%s,"
            + "\"start_ms\":%d,\"self\":%b,\"fabrics\":[%s],\"addresses\":[%s],"
            + "\"attributes\":{%s}}")
        .formatted(
            Json.text(what),
            view,
            member.id(),
            Json.text(member.card().name()),
            Json.text(member.card().host()),
            Json.text(state(member)),
            Json.text(Incarnation.text(member.incarnation())),
            Incarnation.startMs(member.incarnation()),
            isSelf,
            texts(member.fabrics()),
            texts(member.card().addresses()),
            member.card().attributes().entrySet().stream()
                .map(entry -> Json.text(entry.getKey()) + ":" + Json.text(entry.getValue()))
                .collect(Collectors.joining(",")));
  }
}
