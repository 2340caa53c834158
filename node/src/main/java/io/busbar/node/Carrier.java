package io.busbar.node;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.udp.UdpNic;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An interface, and the lanes of those of its peers whose records go straight through it. */
final class Carrier {
  private static final int MAX_PEERS = 256;
  private static final int NOBODY = -1;
  private static final int IDLE_LOOKS = 32;
  private static final int IDLE_ROUNDS = 32;

  /** The same where no node is reached: who speaks there says that it has come, and can wait. */
  private static final int IDLE_ROUNDS_ALONE = 1024;

  final Nic nic;

  /** Its place among the carriers of its engine. */
  final int place;

  final boolean reliable;
  final @Nullable Buffers buffers;

  /** Whether something was placed that has not left. */
  boolean dirty;

  private final Engine engine;
  private final boolean claims;
  private final FrameReceiver receiver;
  private final @Nullable RingLane[] ringLanes = new @Nullable RingLane[MAX_PEERS];
  private final int firstAlternative;

  /** By number: the node that was opened. */
  private int[] nodes = nobody(16);

  /** How many nodes were opened. */
  private int reached;

  private int idleLooks;

  Carrier(Engine engine, Nic nic, int place, int firstAlternative) {
    this.engine = engine;
    this.nic = nic;
    this.place = place;
    this.firstAlternative = firstAlternative;
    this.reliable = nic.capabilities().contains(NicCapability.RELIABLE);
    this.claims = nic.capabilities().contains(NicCapability.CLAIMS);
    this.receiver = reliable ? this::onRecordFrame : this::onTransportFrame;
    boolean passes = nic.capabilities().contains(NicCapability.OWNERSHIP);
    this.buffers = reliable && passes ? new Buffers(nic.pool()) : null;
  }

  /** Whether frames go through a socket for datagrams. */
  boolean isDatagrams() {
    return nic.fabric().equals(UdpNic.FABRIC);
  }

  /** Whether the better one of the two is to be found out. */
  boolean isAlternativeTo(Carrier other) {
    return firstAlternative == other.firstAlternative;
  }

  /**
   * Takes what has come; frames. A carrier on which nothing has come for a while is looked at only
   * now and then while there are others: a look at a socket costs as much as ten at a ring.
   */
  int look(int inRound, int budget, boolean alone) {
    if (idleLooks >= IDLE_LOOKS && !alone && inRound % idleRounds() != 0) {
      return 0;
    }
    int frames = nic.poll(receiver, budget);
    idleLooks = frames > 0 ? 0 : idleLooks + 1;
    return frames;
  }

  private int idleRounds() {
    return reached == 0 ? IDLE_ROUNDS_ALONE : IDLE_ROUNDS;
  }

  private void onRecordFrame(int number, MemorySegment memory, long at, int length, long frame) {
    RingLane lane = number < 0 || number >= MAX_PEERS ? null : ringLanes[number];
    if (lane == null || !lane.onFrame(memory, at, length, frame)) {
      engine.onStrangeRecord(this, number, memory, at, length);
    }
  }

  private void onTransportFrame(int number, MemorySegment memory, long at, int length, long frame) {
    long name = claims ? ((long) place << Nic.NAME_BITS) | frame : Nic.UNCLAIMABLE;
    engine.onTransportFrame(this, number, memory, at, length, name);
  }

  /** Whether a frame that is being delivered, or was claimed, can be kept. */
  boolean claim(long name) {
    return nic.claim(own(name));
  }

  void release(long name) {
    nic.release(own(name));
  }

  private static long own(long name) {
    return name & ((1L << Nic.NAME_BITS) - 1);
  }

  /** The place of the carrier whose frame has a name. */
  static int place(long name) {
    return (int) (name >>> Nic.NAME_BITS);
  }

  /**
   * Opens a way to a node by the first of its addresses that is of this carrier's kind.
   *
   * @param why is told why there is none
   * @return its number here; negative when there is none
   */
  int open(int node, List<NicAddress> addresses, StringBuilder why) {
    String kind = kind(nic.address());
    boolean has = false;
    for (NicAddress address : addresses) {
      if (address.text().startsWith(kind)) {
        has = true;
        try {
          int number = nic.open(address);
          int other = number < nodes.length ? nodes[number] : NOBODY;
          if (other != NOBODY && other != node && engine.isThere(other)) {
            why.append(why.isEmpty() ? "" : "; ");
            why.append("node %d is at %s".formatted(other, address.text()));
            continue;
          }
          if (number >= nodes.length) {
            int[] more = nobody(Math.max(number + 1, 2 * nodes.length));
            System.arraycopy(nodes, 0, more, 0, nodes.length);
            nodes = more;
          }
          reached += nodes[number] == NOBODY ? 1 : 0;
          nodes[number] = node;
          return number;
        } catch (FabricException e) {
          why.append(why.isEmpty() ? "" : "; ").append(e.getMessage());
        }
      }
    }
    if (!has) {
      why.append(why.isEmpty() ? "" : "; ");
      why.append("node %d has no %s".formatted(node, nic.fabric()));
    }
    return -1;
  }

  private static int[] nobody(int size) {
    int[] none = new int[size];
    Arrays.fill(none, NOBODY);
    return none;
  }

  /** Closes all ways to a node. */
  void close(int node) {
    for (int number = 0; number < nodes.length; number++) {
      if (nodes[number] == node) {
        forget(number);
        nic.close(number);
        if (reliable) {
          ringLanes[number] = null;
        }
      }
    }
  }

  private void forget(int number) {
    if (isOpen(number)) {
      nodes[number] = NOBODY;
      reached--;
    }
  }

  /** Whether a node was opened under a number. */
  boolean isOpen(int number) {
    return number < nodes.length && nodes[number] != NOBODY;
  }

  /** Whether it was this node that was opened under a number. */
  boolean isAt(int number, int node) {
    return number >= 0 && number < nodes.length && nodes[number] == node;
  }

  /** A frame is expected here: it is looked at in every round for a while. */
  void expect() {
    idleLooks = 0;
  }

  /** What the text of an address begins with: carriers with one kind reach each other. */
  static String kind(NicAddress address) {
    return address.text().substring(0, address.text().indexOf(':') + 1);
  }

  void connect(int number, RingLane lane) {
    ringLanes[number] = lane;
  }

  /** The lane to a peer; null when there is none. */
  @Nullable RingLane lane(int number) {
    return ringLanes[number];
  }

  /** The lane to a peer that is no more; both are forgotten: the number may be another's next. */
  @Nullable RingLane disconnect(int number) {
    RingLane lane = ringLanes[number];
    ringLanes[number] = null;
    forget(number);
    return lane;
  }
}
