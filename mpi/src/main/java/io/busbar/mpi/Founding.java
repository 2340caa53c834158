package io.busbar.mpi;

import io.busbar.mpi.MpiError.Kind;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** How communicators are made of one: who is in them, and the contexts that they agree on. */
final class Founding {
  private static final int COLOURLESS = Integer.MIN_VALUE;

  /** Of what the members of a group say to each other; those that programs give are 0 or more. */
  private static final int CREATE_TAG = -1;

  private final Communicator parent;
  private final World world;
  private final Communicator side;
  private final Group local;
  private final int self;

  /** The number of this call, if all make it. */
  private int call;

  private int step;
  private boolean isDrawn;

  /** The first collective of one side, if its number had to be drawn early. */
  private @Nullable Collectives drawn;

  Founding(Communicator parent) {
    this.parent = parent;
    this.world = parent.world();
    this.side = parent.side();
    this.local = parent.group();
    this.self = world.rank();
  }

  /** All make this call; with one side, its number is needed only to ask them. */
  private void agree(Call mine) {
    if (!isDrawn && (parent.isInter() || world.checks())) {
      call = parent.nextCall();
    }
    if (world.checks()) {
      new Agreement(parent, call).reach(mine);
    }
  }

  /** Draws the numbers of a duplication, which another thread goes on with. */
  void draw() {
    if (parent.isInter() || world.checks()) {
      call = parent.nextCall();
    }
    if (!parent.isInter()) {
      drawn = side.inner();
    }
    isDrawn = true;
  }

  /** A collective of this side. */
  private Collectives onSide() {
    Collectives ready = drawn;
    drawn = null;
    if (ready != null) {
      return ready;
    }
    return parent.isInter() ? side.inner(Collectives.ON_SIDE_MAX * call + step++) : side.inner();
  }

  private void send(int[] words, int to, int tag) {
    int in = parent.foundingContext();
    parent.sendIn(in, words, 0, words.length, Datatype.INT, to, tag, false);
  }

  private void receive(int in, int[] words, int from, int tag) {
    parent.receiveIn(in, words, 0, words.length, Datatype.INT, from, tag, null);
  }

  /** Both at once, for two that tell each other. */
  private void swap(int[] out, int[] in, int with, int tag) {
    int context = parent.collectiveContext();
    Request sent = parent.startSendIn(context, out, 0, out.length, Datatype.INT, with, tag, false);
    receive(context, in, with, tag);
    sent.await();
  }

  /** The highest context that any process of this side offers, which all of them use then. */
  private int agreeOnContext() {
    int[] offer = {world.offeredContext()};
    int[] highest = new int[1];
    onSide().allReduce(offer, 0, highest, 0, 1, Datatype.INT, Operation.MAX);
    return highest[0];
  }

  Communicator duplicate() {
    agree(Call.of("comm_dup"));
    if (!parent.isInter()) {
      return parent.found(local, null, agreeOnContext());
    }
    int[] mine = {agreeOnContext()};
    int[] theirs = new int[1];
    if (parent.rank() == 0) {
      swap(mine, theirs, 0, call);
    }
    onSide().broadcast(theirs, 0, 1, Datatype.INT, 0);
    int made = Math.max(mine[0], theirs[0]);
    return parent.found(local, parent.others(), made);
  }

  @Nullable Communicator split(int colour, int key) {
    agree(Call.of("comm_split"));
    return splitBy(colour, key);
  }

  private @Nullable Communicator splitBy(int colour, int key) {
    if (colour < 0 && colour != Communicator.UNDEFINED) {
      throw new MpiError(Kind.ARG, "colour %d; allowed: 0 or more, or UNDEFINED".formatted(colour));
    }
    int made = agreeOnContext();
    boolean hasColour = colour != Communicator.UNDEFINED;
    int[] mine = {hasColour ? colour : COLOURLESS, key};
    int[] all = new int[2 * parent.size()];
    onSide().allGather(mine, 0, 2, Datatype.INT, all, 0, 2, Datatype.INT);
    if (!hasColour) {
      return null;
    }
    int[] ranks =
        IntStream.range(0, parent.size())
            .filter(i -> all[2 * i] == colour)
            .boxed()
            .sorted(Comparator.comparingInt(i -> all[2 * i + 1]))
            .mapToInt(Integer::intValue)
            .toArray();
    return parent.found(local.include(ranks), null, made);
  }

  @Nullable Communicator splitByHost(int key) {
    agree(Call.of("comm_split_type"));
    byte[] mine = Host.identity();
    int length = mine.length;
    byte[] all = new byte[length * parent.size()];
    onSide().allGather(mine, 0, length, Datatype.BYTE, all, 0, length, Datatype.BYTE);
    int first = 0;
    while (!Arrays.equals(mine, 0, length, all, first * length, (first + 1) * length)) {
      first++;
    }
    return splitBy(first, key);
  }

  /**
   * All call it, says the standard; the members alone have to, because there are programs in which
   * the others do not. Those are found if programs are checked.
   */
  @Nullable Communicator create(Group group) {
    if (!world.checks()) {
      return createAmong(group, CREATE_TAG);
    }
    agree(Call.of("comm_create"));
    checkSubset(group);
    int made = agreeOnContext();
    return group.rankOf(self) < 0 ? null : parent.found(group, null, made);
  }

  private void checkSubset(Group group) {
    if (group.difference(local).size() > 0) {
      throw new MpiError(Kind.GROUP, "the group has processes that the communicator has not");
    }
  }

  @Nullable Communicator createGroup(Group group, int tag) {
    return createAmong(group, tag);
  }

  private @Nullable Communicator createAmong(Group group, int ours) {
    checkSubset(group);
    int me = group.rankOf(self);
    if (me < 0) {
      return null;
    }
    int in = parent.foundingContext();
    int[] highest = {world.offeredContext()};
    if (me == 0) {
      int[] offer = new int[1];
      for (int i = 1; i < group.size(); i++) {
        receive(in, offer, local.rankOf(group.node(i)), ours);
        highest[0] = Math.max(highest[0], offer[0]);
      }
      for (int i = 1; i < group.size(); i++) {
        send(highest, local.rankOf(group.node(i)), ours);
      }
    } else {
      int leader = local.rankOf(group.node(0));
      send(highest, leader, ours);
      receive(in, highest, leader, ours);
    }
    return parent.found(group, null, highest[0]);
  }

  Communicator createInter(int leader, Communicator peers, int otherLeader, int tag) {
    agree(Call.of("intercomm_create").at(leader));
    int size = parent.size();
    int[] mine = new int[2 + size];
    mine[0] = agreeOnContext();
    mine[1] = size;
    Arrays.setAll(mine, i -> i < 2 ? mine[i] : local.node(i - 2));
    boolean leads = parent.rank() == leader;
    int[] theirs = leads ? swapWithLeader(mine, peers, otherLeader, tag) : new int[0];
    int[] length = {theirs.length};
    onSide().broadcast(length, 0, 1, Datatype.INT, leader);
    theirs = leads ? theirs : new int[length[0]];
    onSide().broadcast(theirs, 0, theirs.length, Datatype.INT, leader);
    int made = Math.max(mine[0], theirs[0]);
    Group there = new Group(Arrays.copyOfRange(theirs, 2, theirs.length));
    if (there.intersection(local).size() > 0) {
      throw new MpiError(Kind.COMM, "the two sides have processes in common");
    }
    return parent.found(local, there, made);
  }

  private static int[] swapWithLeader(int[] mine, Communicator peers, int other, int tag) {
    Status status = new Status();
    Request sent = peers.startSend(mine, 0, mine.length, Datatype.INT, other, tag, false);
    peers.probe(other, tag, status);
    int[] theirs = new int[status.count(Datatype.INT)];
    peers.receive(theirs, 0, theirs.length, Datatype.INT, other, tag, null);
    sent.await();
    return theirs;
  }

  Communicator merge(boolean high) {
    if (!parent.isInter()) {
      throw new MpiError(Kind.COMM, "a communicator with one side cannot be merged");
    }
    agree(Call.of("intercomm_merge"));
    Group there = parent.others();
    int[] mine = {agreeOnContext(), high ? 1 : 0};
    int[] theirs = new int[2];
    if (parent.rank() == 0) {
      swap(mine, theirs, 0, call);
    }
    onSide().broadcast(theirs, 0, 2, Datatype.INT, 0);
    int made = Math.max(mine[0], theirs[0]);
    boolean first = mine[1] == theirs[1] ? local.node(0) < there.node(0) : mine[1] < theirs[1];
    return parent.found(first ? local.union(there) : there.union(local), null, made);
  }
}
