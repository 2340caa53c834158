package io.busbar.node;

import io.busbar.bus.BusConfig;
import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.udp.UdpNic;
import io.busbar.linux.PollSet;
import io.busbar.wire.ClusterName;
import io.busbar.wire.Incarnation;
import io.busbar.wire.MemberCard;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What happens before a node has its place: its life begins, an id is claimed if none was given,
 * and its carriers are opened. Those on raw Ethernet need the id; datagrams serve to claim it.
 */
final class Joining implements Presence.Afterlife {
  private static final int DESCRIPTORS_MAX = 64;
  private static final int POLL_FRAMES = 64;
  private static final long LOOK_NS = 20_000_000;

  /** Ids that are tried: where so many are taken, there is hardly one left. */
  private static final long CLAIM_PATIENCE_NS = 10_000_000_000L;

  final long startNs = System.nanoTime();

  /** Why carriers cannot be used here, by their names. */
  final Map<String, String> missing = new LinkedHashMap<>();

  /** What all carriers report goes there, once there is an engine. */
  private NicEvents told = NicEvents.NONE;

  private final NodeConfig config;
  private final UnaryOperator<Nic> over;
  private final Carriers carriers;
  private final Map<String, Nic> opened = new LinkedHashMap<>();

  /** What the bus was told of this node's life; null when all peers are given. */
  private @Nullable BusConfig bus;

  private Consumer<Presence> rejoined = life -> {};
  private long incarnation = Incarnation.UNKNOWN;
  private volatile @Nullable Presence presence;
  private volatile int id;

  /**
   * A node that will join.
   *
   * @param over is given each interface that was opened, and returns what is used instead
   */
  Joining(NodeConfig config, UnaryOperator<Nic> over) {
    this.config = config;
    this.over = over;
    this.carriers = new Carriers(config);
    this.id = config.rank();
    beginLife();
  }

  /** Each life is later than the one before. */
  private void beginLife() {
    long drawn = Incarnation.of(System.currentTimeMillis(), ThreadLocalRandom.current().nextLong());
    boolean isLater = Long.compareUnsigned(drawn, incarnation) > 0;
    incarnation = isLater ? drawn : incarnation + 1;
  }

  long incarnation() {
    return incarnation;
  }

  int id() {
    return id;
  }

  @Nullable Presence presence() {
    return presence;
  }

  int frameBytesMax() {
    return carriers.frameBytesMax();
  }

  long nowNs() {
    return System.nanoTime() - startNs;
  }

  /** Opens all carriers that can be, after an id was claimed. */
  void open() throws InterruptedException {
    Discovery discovery = config.discovery();
    if (discovery == null) {
      openAll();
    } else {
      find(discovery);
    }
    if (opened.isEmpty()) {
      throw new NodeException("no carrier can be used: " + String.join("; ", missing.values()));
    }
  }

  /** The opened interfaces, those first that are preferred; alternatives together. */
  List<List<Nic>> choices() {
    List<List<Nic>> all = new ArrayList<>();
    for (String choice : config.fabrics()) {
      List<Nic> alternatives = new ArrayList<>();
      for (String fabric : NodeConfig.alternatives(choice)) {
        Nic nic = opened.get(fabric);
        if (nic != null) {
          alternatives.add(nic);
        }
      }
      all.add(alternatives);
    }
    return all;
  }

  List<Nic> nics() {
    return List.copyOf(opened.values());
  }

  void close() {
    opened.values().forEach(Nic::close);
  }

  /** What the carriers report goes there from now on. */
  void reportTo(NicEvents events) {
    told = events;
  }

  private void openAll() {
    for (String choice : config.fabrics()) {
      for (String fabric : NodeConfig.alternatives(choice)) {
        if (!opened.containsKey(fabric)) {
          open(fabric);
        }
      }
    }
  }

  private void open(String fabric) {
    try {
      Carriers.checkAlone(fabric, opened.values());
      Nic nic = over.apply(carriers.open(fabric, id, incarnation, new Relay()));
      opened.put(fabric, Captures.over(config, nic));
    } catch (FabricException e) {
      missing.put(fabric, e.getMessage());
    }
  }

  private final class Relay implements NicEvents {
    @Override
    public void onPeer(int peer) {
      told.onPeer(peer);
    }

    @Override
    public void onPeerGone(int peer, String why) {
      told.onPeerGone(peer, why);
    }

    @Override
    public void onProcessEnded(int peer) {
      told.onProcessEnded(peer);
    }

    @Override
    public void onNoWay(int peer, String why) {
      told.onNoWay(peer, why);
    }

    @Override
    public void onFrameBytesMax(int peer, int bytes) {
      told.onFrameBytesMax(peer, bytes);
    }

    @Override
    public void onWarning(String what) {
      told.onWarning(what);
    }
  }

  // Finding others.

  private void find(Discovery discovery) throws InterruptedException {
    boolean isWanted =
        config.fabrics().stream()
            .anyMatch(choice -> NodeConfig.alternatives(choice).contains(UdpNic.FABRIC));
    if (!isWanted) {
      throw new NodeException(
          "others are found by datagrams, and %s has none: add udp".formatted(config.fabrics()));
    }
    open(UdpNic.FABRIC);
    Nic datagrams = opened.get(UdpNic.FABRIC);
    if (datagrams == null) {
      throw new NodeException(
          "others are found by datagrams, which cannot be used here: "
              + missing.get(UdpNic.FABRIC));
    }
    BusConfig first =
        new BusConfig(
            ClusterName.hash(config.cluster()),
            discovery.id(),
            incarnation,
            this::card,
            ThreadLocalRandom.current().nextLong(),
            Math.min(frameBytesMax(), longestFrame(datagrams)),
            Discovery.MEMBERS_MAX,
            discovery.times());
    Presence part = begin(discovery, datagrams, first);
    claim(part, datagrams);
  }

  private Presence begin(Discovery discovery, Nic datagrams, BusConfig life) {
    List<NicAddress> seeds = discovery.seeds().stream().flatMap(this::seeds).toList();
    Presence part =
        new Presence(
            datagrams, life, discovery.paceNs(), discovery.isOfJob(), seeds, Carriers::parse, this);
    bus = life;
    presence = part;
    part.start(nowNs());
    return part;
  }

  // Another life.

  /** Who makes an engine for a later life; called with the driver's role. */
  void whenRejoined(Consumer<Presence> to) {
    rejoined = to;
  }

  @Override
  public void onLost(Engine engine) {
    Discovery discovery = config.discovery();
    Nic datagrams = opened.get(UdpNic.FABRIC);
    BusConfig former = bus;
    if (discovery != null && datagrams != null && former != null) {
      beginLife();
      BusConfig next = former.again(incarnation, ThreadLocalRandom.current().nextLong());
      engine.follow(begin(discovery, datagrams, next));
    }
  }

  @Override
  public void onTaken(Presence life) {
    rejoined.accept(life);
  }

  private static int longestFrame(Nic datagrams) {
    boolean hasAll = datagrams.capabilities().contains(NicCapability.BROADCAST);
    return hasAll ? datagrams.frameBytesMax(Nic.EVERYONE) : Integer.MAX_VALUE;
  }

  private Stream<NicAddress> seeds(String text) {
    Discovery discovery = config.discovery();
    int port = discovery == null ? Discovery.PORT : discovery.port();
    return Seed.parse(text, port).addresses().map(address -> Carriers.parse("udp:" + address));
  }

  /** Drives the bus by itself until there is an id. */
  private void claim(Presence part, Nic datagrams) throws InterruptedException {
    PollSet set = new PollSet(DESCRIPTORS_MAX);
    while (!part.isMember()) {
      int _ =
          datagrams.poll(
              (number, memory, at, length, frame) -> {
                if (Presence.isBusFrame(memory, at, length)) {
                  boolean _ = part.onFrame(nowNs(), datagrams, number, memory, at, length);
                }
              },
              POLL_FRAMES);
      if (part.dueNs() <= nowNs()) {
        part.poll(nowNs());
      }
      int _ = datagrams.flush();
      if (nowNs() > CLAIM_PATIENCE_NS) {
        throw new NodeException(
            "no id was free in cluster %s for %d s: give this node one"
                .formatted(config.cluster(), TimeUnit.NANOSECONDS.toSeconds(CLAIM_PATIENCE_NS)));
      }
      sleep(set, datagrams, part.dueNs() - nowNs());
    }
    id = part.id();
  }

  private static void sleep(PollSet set, Nic datagrams, long ns) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted while an id was claimed");
    }
    set.clear();
    datagrams.listen(set);
    if (ns > 0 && datagrams.arm()) {
      int _ = set.await(Math.min(ns, LOOK_NS));
    }
    datagrams.disarm();
  }

  /** What this node says of itself, now that it has an id: its carriers are opened for it. */
  private MemberCard card(int taken) {
    id = taken;
    opened.values().forEach(nic -> nic.rename(taken, incarnation)); // those of a former life
    openAll();
    Discovery discovery = config.discovery();
    return new MemberCard(
        config.name(),
        Carriers.hostName(),
        nics().stream().map(nic -> nic.address().text()).toList(),
        discovery == null ? Map.of() : discovery.attributes());
  }
}
