package io.busbar.mpi;

import io.busbar.mpi.Group.Likeness;
import io.busbar.mpi.MpiError.Kind;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Processes that exchange messages among themselves: what is sent by one communicator is received
 * by it alone. One with a remote group sends to, and receives from, that. Memory is an array of
 * primitives, a buffer, a segment, or an array of objects; places in it are in bytes, or objects.
 */
public final class Communicator {
  /** From anybody, with any tag. */
  public static final int ANY = Receive.ANY;

  /** Nobody: what is sent there is gone, what is received from there is empty. */
  public static final int NOBODY = -3;

  /** In a collective between two groups: the process that has the data. */
  public static final int ROOT = -4;

  /** Not in any of the new ones. */
  public static final int UNDEFINED = -1;

  /**
   * So many numbers are kept for each: two for itself, its side, and both sides as one, and the
   * last for making others.
   */
  static final int CONTEXTS = 8;

  private static final int CONTEXTS_OF_ONE_SIDE = 2;
  private static final int CONTEXTS_OF_TWO_SIDES = 6;

  private final World world;
  private final Mail mail;
  private final Group local;
  private final @Nullable Group remote;
  private final int context;
  private final int epoch;
  private final int rank;
  private final AtomicInteger calls = new AtomicInteger();

  /** The processes of this side, for what they have to agree on; itself if there is one side. */
  private final Communicator side;

  /** Those of both sides as one, for what all are asked; itself if there is one side. */
  private final Communicator everybody;

  private volatile String name;
  private volatile boolean freed;

  /** Which of its processes are on one host; not known before a collective needs it. */
  private final Survey survey;

  /** Whether all were greeted, because somebody waits for any of them. */
  private boolean greeted;

  Communicator(
      World world, Mail mail, Group local, @Nullable Group remote, int context, int epoch) {
    this.world = world;
    this.mail = mail;
    this.local = local;
    this.remote = remote;
    this.context = context;
    this.epoch = epoch;
    this.rank = local.rankOf(mail.self());
    this.survey = new Survey(this, mail);
    this.name = Ledger.nameless(context);
    if (remote == null) {
      this.side = this;
      this.everybody = this;
    } else {
      this.side = new Communicator(world, mail, local, null, context + 2, epoch);
      Group all = firstSide().union(firstSide().equals(local) ? remote : local);
      this.everybody = new Communicator(world, mail, all, null, context + 4, epoch);
    }
  }

  // What it is.

  /** This process's rank. */
  public int rank() {
    return rank;
  }

  /** How many processes there are on this side. */
  public int size() {
    return local.size();
  }

  /** How many there are on the other side; those of this one, if there is no other. */
  public int remoteSize() {
    return others().size();
  }

  /** Whether there are two sides. */
  public boolean isInter() {
    return remote != null;
  }

  /** The processes of this side. */
  public Group group() {
    return local;
  }

  /** Those of the other side, or of the only one. */
  public Group others() {
    return remote == null ? local : remote;
  }

  /** The world. */
  public World world() {
    return world;
  }

  Mail mail() {
    return mail;
  }

  /** In which it was made. */
  int epoch() {
    return epoch;
  }

  /** How many contexts it uses all the time, from its own on. */
  int contexts() {
    return isInter() ? CONTEXTS_OF_TWO_SIDES : CONTEXTS_OF_ONE_SIDE;
  }

  /** Those of this side among themselves. */
  Communicator side() {
    return side;
  }

  /** All processes of both sides. */
  Communicator everybody() {
    return everybody;
  }

  /** The side that comes first when both are one. */
  Group firstSide() {
    return remote == null || local.node(0) < remote.node(0) ? local : remote;
  }

  /** What people call it. */
  public String name() {
    return name;
  }

  /** What people call it from now on. */
  public void setName(String other) {
    name = other;
  }

  /** Whether it came with MPI. */
  boolean isPredefined() {
    return context < World.FIRST_CONTEXT;
  }

  int nodeOf(int other) {
    return others().node(other);
  }

  /** Whether its ranks were not greeted yet, which is about to change. */
  boolean isToGreet() {
    boolean first = !greeted;
    greeted = true;
    return first;
  }

  boolean hasNode(int node) {
    return others().rankOf(node) >= 0;
  }

  /** Whether two have the same processes. */
  public Likeness compare(Communicator other) {
    if (this == other || (context == other.context && epoch == other.epoch)) {
      return Likeness.IDENT;
    }
    if (isInter() != other.isInter()) {
      return Likeness.UNEQUAL;
    }
    Likeness here = local.compare(other.local);
    Likeness there = others().compare(other.others());
    Likeness worse = here.compareTo(there) > 0 ? here : there;
    return worse == Likeness.IDENT ? Likeness.CONGRUENT : worse;
  }

  /** It is not used any more; what is under way goes on. */
  public void free() {
    freed = true;
    world.onFreed(context, this);
  }

  /** Whether it was freed. */
  public boolean isFreed() {
    return freed;
  }

  // Messages.

  /** Refuses what was freed, or belongs to an MPI that has ended. */
  public void checkUsable() {
    if (freed) {
      throw new MpiError(Kind.COMM, "the communicator was freed");
    }
    if (!world.isRunning() || epoch != mail.matching().epoch()) {
      throw new MpiError(Kind.OTHER, "MPI was finalised, or not initialised");
    }
  }

  private void checkRank(int other, boolean orAny) {
    boolean isOne = other >= 0 && other < remoteSize();
    if (!isOne && other != NOBODY && !(orAny && other == ANY)) {
      throw new MpiError(
          Kind.RANK,
          "%s: rank %d; allowed: 0 to %d"
              .formatted(orAny ? "source" : "destination", other, remoteSize() - 1));
    }
  }

  private static void checkTag(int tag, boolean orAny) {
    if (tag < 0 && !(orAny && tag == ANY)) {
      throw new MpiError(Kind.TAG, "tag %d; allowed: 0 or more".formatted(tag));
    }
  }

  private static void checkMemory(@Nullable Object memory, long at, int count, Datatype type) {
    if (count < 0) {
      throw new MpiError(Kind.COUNT, "count %d; allowed: 0 or more".formatted(count));
    }
    if (memory == null) {
      if (count > 0 && type.size() > 0) {
        throw new MpiError(Kind.BUFFER, "no buffer, but %d elements of it".formatted(count));
      }
      return;
    }
    type.check(memory, at, count);
  }

  /** Refuses a send that is wrong; nothing has happened then. */
  public void checkSend(
      @Nullable Object memory, long at, int count, Datatype type, int to, int tag) {
    checkUsable();
    checkRank(to, false);
    checkTag(tag, false);
    checkMemory(memory, at, count, type);
  }

  /** Refuses a receive that is wrong; nothing has happened then. */
  public void checkReceive(
      @Nullable Object memory, long at, int count, Datatype type, int from, int tag) {
    checkUsable();
    checkRank(from, true);
    checkTag(tag, true);
    checkMemory(memory, at, count, type);
  }

  /** Sends; when this returns, the memory may be changed. With sync, a receive has matched it. */
  public void send(
      @Nullable Object memory, long at, int count, Datatype type, int to, int tag, boolean sync) {
    checkSend(memory, at, count, type, to, tag);
    if (to != NOBODY) {
      sendIn(context, memory, at, count, type, to, tag, sync);
    }
  }

  void sendIn(
      int in,
      @Nullable Object memory,
      long at,
      int count,
      Datatype type,
      int to,
      int tag,
      boolean sync) {
    if (type.base() == Base.OBJECT) {
      byte[] stream = objects(memory, at, count, type);
      int objects = (int) (count * type.size());
      mail.send(nodeOf(to), in, rank, tag, sync, stream, 0, stream.length, Datatype.BYTE, objects);
    } else {
      mail.send(nodeOf(to), in, rank, tag, sync, memory, at, count, type, -1);
    }
  }

  private static byte[] objects(@Nullable Object memory, long at, int count, Datatype type) {
    return ObjectStream.write(
        memory instanceof Object[] array ? array : new Object[0],
        at,
        memory == null ? 0 : count,
        type);
  }

  /** Begins to send; the memory may be changed when the request is over. */
  public Request startSend(
      @Nullable Object memory, long at, int count, Datatype type, int to, int tag, boolean sync) {
    checkSend(memory, at, count, type, to, tag);
    return startSendIn(context, memory, at, count, type, to, tag, sync);
  }

  /**
   * Begins to send; the memory may be changed at once, because what cannot leave is copied. When
   * this process keeps 64 MB so, it is not: then it may be changed when the request is over.
   */
  public Request startSendApart(
      @Nullable Object memory, long at, int count, Datatype type, int to, int tag, boolean sync) {
    checkSend(memory, at, count, type, to, tag);
    Send send = made(context, memory, at, count, type, to, tag, sync);
    return start(type.base() == Base.OBJECT ? send : send.apart(), to);
  }

  /** Begins to send a copy: the memory may be changed at once. */
  public Request startSendCopy(
      @Nullable Object memory, long at, int count, Datatype type, int to, int tag) {
    checkSend(memory, at, count, type, to, tag);
    if (memory == null || type.base() == Base.OBJECT) {
      return startSendIn(context, memory, at, count, type, to, tag, false);
    }
    byte[] copy = new byte[Math.toIntExact(count * type.size())];
    type.packAll(memory, at, count, MemorySegment.ofArray(copy), 0);
    return startSendIn(context, copy, 0, copy.length, Datatype.BYTE, to, tag, false);
  }

  Request startSendIn(
      int in,
      @Nullable Object memory,
      long at,
      int count,
      Datatype type,
      int to,
      int tag,
      boolean sync) {
    return start(made(in, memory, at, count, type, to, tag, sync), to);
  }

  private Send made(
      int in,
      @Nullable Object memory,
      long at,
      int count,
      Datatype type,
      int to,
      int tag,
      boolean sync) {
    int node = to == NOBODY ? mail.self() : nodeOf(to);
    if (type.base() != Base.OBJECT) {
      return new Send(mail, node, in, rank, tag, sync, memory, at, count, type, -1);
    }
    byte[] stream = objects(memory, at, count, type);
    int objects = (int) (count * type.size());
    return new Send(
        mail, node, in, rank, tag, sync, stream, 0, stream.length, Datatype.BYTE, objects);
  }

  private Request start(Send send, int to) {
    if (to == NOBODY) {
      send.complete();
    } else {
      mail.start(send);
    }
    return send;
  }

  /** Receives, and waits for it. */
  public void receive(
      @Nullable Object memory,
      long at,
      int count,
      Datatype type,
      int from,
      int tag,
      @Nullable Status status) {
    checkReceive(memory, at, count, type, from, tag);
    if (from == NOBODY) {
      setNobody(status);
      return;
    }
    receiveIn(context, memory, at, count, type, from, tag, status);
  }

  void receiveIn(
      int in,
      @Nullable Object memory,
      long at,
      int count,
      Datatype type,
      int from,
      int tag,
      @Nullable Status status) {
    Receive receive = ask(in, memory, at, count, type, from, tag);
    mail.receive(receive);
    if (status != null) {
      status.set(receive);
    }
    checkReceived(receive);
    mail.giveBack(receive);
  }

  private Receive ask(
      int in, @Nullable Object memory, long at, int count, Datatype type, int from, int tag) {
    Receive receive = mail.takeReceive(this);
    receive.ask(this, in, memory, at, count, type, from, tag);
    return receive;
  }

  private static void checkReceived(Receive receive) {
    MpiError error = receive.error();
    if (error != null) {
      throw error.again();
    }
  }

  /**
   * Receives, waits for it, and returns what it has come to, which is this one's again with {@link
   * #giveBack}: so nothing is allocated.
   */
  public Request receive(
      @Nullable Object memory, long at, int count, Datatype type, int from, int tag) {
    checkReceive(memory, at, count, type, from, tag);
    Receive receive = ask(context, memory, at, count, type, from, tag);
    if (from == NOBODY) {
      receive.source = NOBODY;
      receive.tag = ANY;
      return receive;
    }
    mail.receive(receive);
    checkReceived(receive);
    return receive;
  }

  /** What {@link #receive(Object, long, int, Datatype, int, int)} returned was looked at. */
  public void giveBack(Request received) {
    if (received instanceof Receive receive) {
      mail.giveBack(receive);
    }
  }

  private static void setNobody(@Nullable Status status) {
    if (status != null) {
      status.set(NOBODY, ANY, 0, 0, false);
    }
  }

  /** Begins to receive. */
  public Request startReceive(
      @Nullable Object memory, long at, int count, Datatype type, int from, int tag) {
    checkReceive(memory, at, count, type, from, tag);
    return startReceiveIn(context, memory, at, count, type, from, tag);
  }

  Request startReceiveIn(
      int in, @Nullable Object memory, long at, int count, Datatype type, int from, int tag) {
    Receive receive = new Receive(mail, this);
    receive.ask(this, in, memory, at, count, type, from, tag);
    if (from == NOBODY) {
      receive.source = NOBODY;
      receive.tag = ANY;
      receive.complete();
    } else {
      mail.post(receive);
    }
    return receive;
  }

  // Probes.

  /** Waits for a message, and leaves it where it is. */
  public void probe(int from, int tag, Status status) {
    checkProbe(from, tag);
    if (from == NOBODY) {
      setNobody(status);
      return;
    }
    awaitMessage(from, tag);
    boolean _ = tryProbe(from, tag, status);
  }

  /** Waits until there is a message, or until it is known that none will come. */
  private void awaitMessage(int from, int tag) {
    Matching matching = mail.matching();
    mail.greet(this, from);
    Waited.Probe message = new Waited.Probe(matching, this, context, from, tag);
    mail.awaitThat(message);
    MpiError why = message.has() ? null : matching.hopeless(this, from);
    if (why != null) {
      throw why;
    }
  }

  private void checkProbe(int from, int tag) {
    checkUsable();
    checkRank(from, true);
    checkTag(tag, true);
  }

  /** Whether there is a message, which stays where it is. */
  public boolean tryProbe(int from, int tag, Status status) {
    checkProbe(from, tag);
    if (from == NOBODY) {
      setNobody(status);
      return true;
    }
    mail.look();
    Arrived arrived = mail.matching().peek(context, from, tag);
    if (arrived != null) {
      status.set(arrived);
    }
    return arrived != null;
  }

  /** A message that is the caller's alone; null if there is none and it is not waited for. */
  public @Nullable Found take(int from, int tag, Status status, boolean waits) {
    checkProbe(from, tag);
    if (from == NOBODY) {
      setNobody(status);
      return new Found(this, null);
    }
    Arrived arrived = null;
    mail.look();
    while (arrived == null) {
      arrived = mail.matching().remove(context, from, tag);
      if (arrived == null && !waits) {
        return null;
      }
      if (arrived == null) {
        awaitMessage(from, tag);
      }
    }
    status.set(arrived);
    return new Found(this, arrived);
  }

  /** A message that was found, and is received by its finder. */
  public static final class Found {
    private final Communicator communicator;
    private final @Nullable Arrived arrived;

    Found(Communicator communicator, @Nullable Arrived arrived) {
      this.communicator = communicator;
      this.arrived = arrived;
    }

    /** Whether it is the empty one from nobody. */
    public boolean isNobodys() {
      return arrived == null;
    }

    /** Begins to receive it. */
    public Request startReceive(@Nullable Object memory, long at, int count, Datatype type) {
      checkMemory(memory, at, count, type);
      Arrived found = arrived;
      if (found == null) {
        return communicator.startReceiveIn(
            communicator.context, memory, at, count, type, NOBODY, ANY);
      }
      Receive receive = new Receive(communicator.mail, communicator);
      receive.ask(communicator, found.context, memory, at, count, type, found.source, found.tag);
      communicator.mail.accept(receive, found);
      return receive;
    }
  }

  // Collectives.

  /** The collective operations. */
  public Collectives collectives() {
    checkUsable();
    return new Collectives(this, nextCall(), world.checks(), false);
  }

  /** Which processes are on one host. */
  Topology topology() {
    return survey.topology();
  }

  /** One that is a part of another call, or of the making of a communicator. */
  Collectives inner() {
    return new Collectives(this, nextCall(), false, false);
  }

  /** The same with a number that the caller gives. */
  Collectives inner(int call) {
    return new Collectives(this, call & Integer.MAX_VALUE, false, false);
  }

  int nextCall() {
    return calls.getAndIncrement() & Integer.MAX_VALUE;
  }

  /** Begins a collective whose end is not waited for. */
  public Request start(String what, Consumer<Collectives> work) {
    checkUsable();
    Collectives mine =
        new Collectives(
            this,
            nextCall(),
            world.checks(),
            true); // its number is drawn in the order of the calls
    return new Task(mail, () -> work.accept(mine)).start(what);
  }

  int collectiveContext() {
    return context + 1;
  }

  /**
   * For what only some of the processes say to each other, who make one of them. Who is alone says
   * nothing, and has none.
   */
  int foundingContext() {
    return context + CONTEXTS - 1;
  }

  // New ones.

  private Founding founding() {
    checkUsable();
    return new Founding(this);
  }

  /** One with the same processes. */
  public Communicator duplicate() {
    return founding().duplicate();
  }

  /** Begins to make one with the same processes, which is given away before that is over. */
  public Request startDuplicate(Consumer<Communicator> taker) {
    Founding founding = founding();
    founding.draw();
    return new Task(mail, () -> taker.accept(founding.duplicate())).start("iDup");
  }

  /** Those with the same colour, in the order of their keys; null for who has none. */
  public @Nullable Communicator split(int colour, int key) {
    return founding().split(colour, key);
  }

  /** Those on one host, in the order of their keys. */
  public @Nullable Communicator splitByHost(int key) {
    return founding().splitByHost(key);
  }

  /** Those of a group; null for who is not in it. All processes of this one call it. */
  public @Nullable Communicator create(Group group) {
    return founding().create(group);
  }

  /**
   * Those of a group, who alone call it; the tag tells this call from others that are made at the
   * same time.
   */
  public @Nullable Communicator createGroup(Group group, int tag) {
    Founding founding = founding();
    checkTag(tag, false);
    return founding.createGroup(group, tag);
  }

  /**
   * One with two sides: the processes of this one, and those of whom the other leader leads.
   *
   * @param leader who speaks for this side, a rank of this one
   * @param peers in which the leaders reach each other; matters at the leader
   * @param otherLeader the other one, as a rank in that
   */
  public Communicator createInter(int leader, Communicator peers, int otherLeader, int tag) {
    return founding().createInter(leader, peers, otherLeader, tag);
  }

  /** Both sides as one; those come first who say that they are not high, or whose leader is. */
  public Communicator merge(boolean high) {
    return founding().merge(high);
  }

  /** Another one of processes of this world. */
  Communicator found(Group here, @Nullable Group there, int inContext) {
    Communicator made = new Communicator(world, mail, here, there, inContext, epoch);
    world.onFounded(inContext, made);
    return made;
  }
}
