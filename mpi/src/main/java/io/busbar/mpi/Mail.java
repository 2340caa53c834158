package io.busbar.mpi;

import io.busbar.messages.Handler;
import io.busbar.messages.InMessage;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.MessageException;
import io.busbar.messages.MessageException.Mistake;
import io.busbar.messages.Messages;
import io.busbar.mpi.MpiError.Kind;
import io.busbar.node.Place;
import io.busbar.wire.MpiEnvelope;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Sends and receives of one rank: matches what comes with what was asked for. */
final class Mail implements MessageEvents, AutoCloseable {
  /**
   * A longer payload does not go with its envelope. With that, and the header of its record, it
   * fills 15 pages, of which two are in a zone of shared memory.
   */
  static final int SHORT_BYTES_MAX = (60 << 10) - MpiEnvelope.BYTES - 8;

  /** A longer payload stays with its sender until somebody asks for it. */
  static final int UNASKED_BYTES_MAX = 256 << 10;

  /** What all other ranks together may send without being asked. */
  private static final long CREDIT_BYTES = 64L << 20;

  private static final long CREDIT_BYTES_MIN = 64L << 10;

  /** In which parts credit is given back: for 1 KB, one message in some two hundred. */
  private static final int CREDIT_PARTS = 4;

  /** So long a short send waits for credit before it goes another way, see {@link Peer}. */
  private static final long CREDIT_WAIT_NS = 2_000_000;

  /** Payloads that are kept here so that programs may change their memory before they leave. */
  private static final long KEPT_BYTES_MAX = 64L << 20;

  /** What a send takes that is kept, besides its payload. */
  private static final long KEPT_SEND_BYTES = 256;

  /** Longer than who aborts the job takes to end. */
  private static final long ABORTER_ENDS_NS = 500_000_000;

  /** What takes more than a payload that comes with its envelope. */
  private static final int MORE = MpiEnvelope.LATER | MpiEnvelope.FOLLOWS | MpiEnvelope.SYNC;

  private final MpiConfig.Tasks tasks;
  private final Messages fm;
  private final int self;
  private final Peer[] peers;
  private final Outbox outbox;
  private final Handler envelope;
  private final Handler part;
  private final Handler go;
  private final Handler credit;
  private final Handler end;
  private final Handler bye;
  private final Handler hello;
  private final Handler forget;
  private final Handler forgotten;
  private final Matching matching;
  private final Casts casts;

  private final Incoming incoming;

  /**
   * Who waits for a message without having posted it; written by threads that receive, and only
   * good for the one that it names.
   */
  private @Nullable Receive awaited;

  private final AtomicLong keptBytes = new AtomicLong();
  private final Spare<Letter> spareLetter = new Spare<>();
  private final Spare<Receive> spareReceive = new Spare<>();
  private final Waiting waiting;

  /**
   * The mail of one rank.
   *
   * @param size how many ranks there are; where nodes find each other, some may have ended already
   */
  Mail(Place.Opening opening, int size, MpiConfig config, @Nullable Watch watch)
      throws InterruptedException {
    tasks = config.tasks();
    fm = Messages.over(opening, this);
    self = fm.node().id();
    peers = new Peer[size];
    long each = creditBytes(size, config.creditBytesMax());
    long most = config.creditBytesMax();
    Arrays.setAll(peers, _ -> new Peer(new Credit(each, CREDIT_PARTS), Casts.credit(size, most)));
    matching = new Matching(peers, self);
    outbox = new Outbox(this, matching, fm, peers);
    waiting = new Waiting(fm, outbox, watch);
    incoming = new Incoming(this, matching, peers);
    envelope = fm.handler("mpi.envelope", this::onEnvelope);
    part = fm.handler("mpi.part", incoming::onPart);
    go = fm.handler("mpi.go", this::onGo);
    credit = fm.handler("mpi.credit", this::onCredit);
    end = fm.handler("mpi.end", (in, from) -> onEnd(in.receiveInt(), from));
    bye = fm.handler("mpi.bye", this::onBye);
    hello = fm.handler("mpi.hello", (in, from) -> {});
    forget = fm.handler("mpi.forget", this::onForget);
    forgotten = fm.handler("mpi.forgotten", (in, from) -> onForgotten(in));
    casts = new Casts(this, fm, fm.handler("mpi.cast", this::onCast), peers, self);
    Handler _ = fm.resumableHandler(Outbox.DATA.name(), incoming::onData);
  }

  /** What one rank of so many may send to another without being asked. */
  static long creditBytes(int size, long most) {
    long each = CREDIT_BYTES / Math.max(1, size - 1);
    return Math.min(most, Math.max(CREDIT_BYTES_MIN, each));
  }

  int self() {
    return self;
  }

  int size() {
    return peers.length;
  }

  /** Whether memory is shared with a node. */
  boolean isNear(int node) {
    return node == self || fm.node().choices().getOrDefault(node, "").startsWith("shm");
  }

  /** What goes to all at once. */
  Casts casts() {
    return casts;
  }

  Matching matching() {
    return matching;
  }

  MpiConfig.Tasks tasks() {
    return tasks;
  }

  Holdings holdings() {
    return new Holdings(peers, matching);
  }

  // Sending.

  /** Sends a payload; when this returns, the memory may be changed. */
  void send(
      int to,
      int context,
      int source,
      int tag,
      boolean sync,
      @Nullable Object memory,
      long at,
      int count,
      Datatype type,
      int objects) {
    long bytes = count * type.size();
    boolean isShort = bytes <= SHORT_BYTES_MAX && !sync && to != self;
    if (isShort && spend(peers[to], bytes)) {
      sendShort(to, context, source, tag, memory, at, count, type, objects);
      return;
    }
    Send send = new Send(this, to, context, source, tag, sync, memory, at, count, type, objects);
    if (isShort && keep(send)) {
      start(send);
      return;
    }
    start(send);
    send.awaitOrTakeBack();
    MpiError error = send.error();
    if (error != null) {
      throw error.again();
    }
  }

  /**
   * Takes credit for a short send that can leave now. If it cannot, a moment is better spent
   * waiting than asking for each message by itself, which takes a round trip.
   */
  private boolean spend(Peer peer, long bytes) {
    Credit credit = peer.mail;
    if (peer.isClear() && credit.spend(bytes)) {
      return true;
    }
    if (!peer.takes()) {
      waiting.look(); // who only sends would not see that it takes
    }
    if (!credit.willSuffice(bytes) || !peer.isWorthWaitingFor()) {
      return false;
    }
    BooleanSupplier isWorthATry =
        () -> (peer.isClear() && credit.suffices(bytes)) || peer.gone != null;
    if (!waiting.awaitFor(isWorthATry, CREDIT_WAIT_NS)) {
      peer.onWaitedInVain();
    }
    return peer.isClear() && credit.spend(bytes);
  }

  /**
   * Copies the payload of a send that its receiver has no credit for, so that the program need not
   * wait for that: programs send some thousand short messages before they receive any.
   */
  private boolean keep(Send send) {
    long charge = send.bytes + KEPT_SEND_BYTES;
    if (peers[send.to].gone != null) {
      return false;
    }
    if (keptBytes.addAndGet(charge) > KEPT_BYTES_MAX) {
      keptBytes.addAndGet(-charge);
      return false;
    }
    send.keep();
    return true;
  }

  /** Copies the payload of a send that cannot leave at once, if the program wants that. */
  void keepApart(Send send) {
    if (send.isToKeep()) {
      boolean _ = keep(send); // or it stays where it is
    }
  }

  /** A send that was kept is over. */
  void forgetKept(Send send) {
    keptBytes.addAndGet(-send.bytes - KEPT_SEND_BYTES);
  }

  private void sendShort(
      int to,
      int context,
      int source,
      int tag,
      @Nullable Object memory,
      long at,
      int count,
      Datatype type,
      int objects) {
    long bytes = count * type.size();
    peers[to].spokenTo = true;
    int flags = flags(type, objects >= 0);
    Letter letter = takeLetter();
    letter.address(context, matching.epoch(), flags, source, tag, bytes, 0, Math.max(0, objects));
    letter.enclose(memory, at, count, type);
    try {
      fm.send(to, envelope, letter.length(), letter);
    } catch (MessageException e) {
      if (e.mistake() == Mistake.TIMED_OUT) {
        peers[to].mail.refund(bytes);
        throw Waiting.interrupted(e);
      }
      throw lost(to, e);
    } finally {
      giveBack(letter);
    }
  }

  /** What an envelope says of its payload. */
  static int flags(Datatype type, boolean hasObjects) {
    return hasObjects
        ? MpiEnvelope.withBase(Base.OBJECT.number()) | MpiEnvelope.OBJECTS
        : MpiEnvelope.withBase(type.base().number());
  }

  Letter takeLetter() {
    Letter spare = spareLetter.take();
    return spare == null ? new Letter() : spare;
  }

  void giveBack(Letter letter) {
    letter.clear();
    spareLetter.giveBack(letter);
  }

  Handler envelopeHandler() {
    return envelope;
  }

  Handler partHandler() {
    return part;
  }

  static MpiError lost(int to, MessageException why) {
    return new MpiError(
        Kind.PROC_FAILED,
        "rank %d of the world cannot be reached: %s".formatted(to, why.getMessage()),
        why);
  }

  /** Begins a send that may take a while. */
  void start(Send send) {
    if (send.to == self) {
      deliverHere(send);
    } else {
      outbox.start(send);
    }
  }

  private void deliverHere(Send send) {
    byte[] payload = new byte[Math.toIntExact(send.bytes)];
    send.pack(MemorySegment.ofArray(payload), 0);
    int flags = send.flags;
    Arrived arrived =
        new Arrived(send.context, self, send.by, send.withTag, flags, send.bytes, 0, send.objects);
    arrived.payload = payload;
    if (send.sync) {
      arrived.local = send;
    } else {
      send.over();
    }
    Receive receive = matching.matchOrKeep(matching.epoch(), arrived);
    if (receive != null) {
      accept(receive, arrived);
    }
    wake();
  }

  /**
   * A send is not wanted any more. If nobody has received it, it is over; otherwise it goes on. Who
   * has it is asked, and answers only if it gives it up: else it has said, or will say, that it has
   * a receive for it.
   */
  void callBack(Send send) {
    int epoch = matching.epoch();
    if (send.to == self) {
      if (matching.giveUp(epoch, send.context, one -> send.equals(one.local)) != null) {
        send.backHere();
      }
    } else if (!outbox.callBack(send) && send.stage == Send.Stage.OUTSIDE) {
      if (!matching.hasFinalised(peers[send.to])) {
        tell(send.to, forget, send.name, send.context, epoch);
      } else if (matching.send(send.name) != null) {
        send.backHere();
      }
    }
    wake();
  }

  private void onForget(InMessage in, int from) {
    int name = in.receiveInt();
    int context = in.receiveInt();
    Arrived given =
        matching.giveUp(in.receiveInt(), context, arrived -> arrived.isKnownAs(from, name));
    if (given != null) {
      forget(from, given.flags, given.length);
      tell(from, forgotten, name, 0, 0);
    }
  }

  private void onForgotten(InMessage in) {
    Send send = matching.send(in.receiveInt());
    if (send != null) {
      send.backHere();
    }
  }

  // Receiving.

  /** A receive for a call that waits at once; to be given back. */
  Receive takeReceive(Communicator communicator) {
    Receive spare = spareReceive.take();
    return spare == null ? new Receive(this, communicator) : spare;
  }

  void giveBack(Receive receive) {
    receive.forgetMemory();
    spareReceive.giveBack(receive);
  }

  /**
   * Receives a message, and waits for it. If nothing else waits where it is expected, it is taken
   * as it comes, without being looked up.
   */
  void receive(Receive receive) {
    if (matching.isEmpty(receive.context)) {
      takeAsItComes(receive);
    }
    if (!receive.isMatched) {
      post(receive);
    }
    receive.awaitOrTakeBack();
  }

  private void takeAsItComes(Receive receive) {
    receive.receiver = Thread.currentThread();
    awaited = receive;
    try {
      boolean more = true;
      while (more && matching.isEmpty(receive.context) && !outbox.hasWork()) {
        more = waiting.extractNext() > 0 && !receive.isMatched;
      }
    } finally {
      awaited = null;
      receive.receiver = null;
    }
  }

  /** Asks for a message: one that has come, or the first that will. */
  void post(Receive receive) {
    Arrived arrived = matching.post(receive);
    if (arrived != null) {
      accept(receive, arrived);
    } else {
      greet(receive.communicator, receive.wantedSource);
    }
  }

  /**
   * Says something to a rank that is waited for, or to all, if nothing was said before: a node
   * notices the end of those alone to whom it has spoken.
   */
  void greet(Communicator in, int source) {
    if (source != Receive.ANY) {
      greet(in.nodeOf(source));
    } else if (in.isToGreet()) {
      for (int rank = 0; rank < in.remoteSize(); rank++) {
        greet(in.nodeOf(rank));
      }
    }
  }

  /** Says something to a rank, if nothing was said before. */
  void greet(int node) {
    if (node != self && peers[node].isToGreet()) {
      try { // who has no room was spoken to
        boolean _ = fm.trySend(node, hello, MemorySegment.NULL, 0, 0);
      } catch (MessageException e) {
        // It is gone, which is told to those who wait for it.
      }
    }
  }

  /** A message that has come goes to a receive. */
  void accept(Receive receive, Arrived arrived) {
    receive.onMatched(arrived.source, arrived.tag, arrived.length, arrived.objects);
    if ((arrived.flags & MpiEnvelope.FOLLOWS) != 0 && matching.awaitPayload(receive, arrived)) {
      return;
    }
    deliver(receive, arrived);
    Send local = arrived.local;
    if (local != null) {
      local.over();
      wake();
    } else if ((arrived.flags & MpiEnvelope.LATER) != 0) {
      askFor(arrived.node, arrived.name, receive);
    } else if ((arrived.flags & MpiEnvelope.SYNC) != 0) {
      tell(arrived.node, go, arrived.name, 0, 0);
    }
  }

  /** The payload of a message is here, if it is not asked for: it goes to a receive. */
  void deliver(Receive receive, Arrived arrived) {
    byte[] payload = arrived.payload;
    if (payload != null) {
      receive.take(payload);
      giveCredit(arrived);
    }
  }

  /** A payload was kept here, and is not any more. */
  private void giveCredit(Arrived arrived) {
    if (arrived.node != self) {
      Credit of = credit(arrived.node, arrived.flags);
      tellCredit(arrived.node, arrived.flags, of.dealtWith(arrived.length));
    }
  }

  /** Another epoch begins: payloads of the last one that nobody has received are not kept. */
  int beginEpoch() {
    List<Arrived> left = new ArrayList<>();
    int epoch = matching.beginEpoch(left::add);
    left.stream().filter(one -> one.payload != null).forEach(this::giveCredit);
    return epoch;
  }

  private void askFor(int node, int sendName, Receive receive) {
    int name = matching.name(receive); // from now on the end of the node is its end
    String gone = peers[node].gone;
    if (gone == null) {
      tell(node, go, sendName, name, 0);
    } else if (matching.receive(name) != null) {
      receive.fail(new MpiError(Kind.PROC_FAILED, gone)); // it ended with the payload
    }
  }

  private Credit credit(int node, int flags) {
    return (flags & MpiEnvelope.CAST) != 0 ? peers[node].casts : peers[node].mail;
  }

  /** A message is dealt with in its handler. */
  private void giveCredit(int node, int flags, long bytes) {
    tellCredit(node, flags, credit(node, flags).dealtWithAtOnce(bytes));
  }

  private void tellCredit(int node, int flags, int charged) {
    if (charged > 0) {
      tell(node, credit, charged, (flags & MpiEnvelope.CAST) != 0 ? 1 : 0, 0);
    }
  }

  private void onCredit(InMessage in, int from) {
    int charged = in.receiveInt();
    boolean isOfCasts = in.receiveInt() != 0;
    (isOfCasts ? peers[from].casts : peers[from].mail).onGiven(charged);
    peers[from].onTakes();
  }

  /** Tells a node something, however often the thread is interrupted: it is waited for there. */
  private void tell(int node, Handler what, int one, int two, int three) {
    boolean interrupted = false;
    boolean isTold = false;
    while (!isTold) {
      try {
        fm.send(node, what, one, two, three, 0);
        isTold = true;
      } catch (MessageException e) { // if it is gone, that is told to those who wait for it
        isTold = e.mistake() != Mistake.TIMED_OUT;
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  void cancel(Receive receive) {
    matching.cancel(receive);
    wake();
  }

  // Handlers.

  /** What goes to all takes another way than what goes to one, and may be overtaken by it. */
  private void onCast(InMessage in, int from) {
    onEnvelope(in, from);
    peers[from].onCast();
    noteFinalised(from);
  }

  private void onEnvelope(InMessage in, int from) {
    long first = in.receiveLong();
    long second = in.receiveLong();
    long length = in.receiveLong();
    long fourth = in.receiveLong();
    int flags = MpiEnvelope.flags(first);
    int ofEpoch = MpiEnvelope.epoch(first);
    int source = MpiEnvelope.source(second);
    int tag = MpiEnvelope.tag(second);
    int name = MpiEnvelope.name(fourth);
    int objects = MpiEnvelope.objects(fourth);
    int context = MpiEnvelope.context(first);
    if ((flags & MpiEnvelope.FOLLOWS) != 0 && (length < 0 || length > UNASKED_BYTES_MAX)) {
      throw new MpiError(Kind.INTERN, "%d bytes follow unasked".formatted(length));
    }
    Receive receive = awaited;
    if (receive == null
        || !receive.takesNow(context, source, tag)
        || ofEpoch != matching.epoch()
        || !matching.isEmpty(context)) {
      if (matching.isPast(ofEpoch)) {
        forget(from, flags, length);
        return;
      }
      receive = matching.match(ofEpoch, context, source, tag);
    }
    if (receive == null) {
      keep(in, ofEpoch, new Arrived(context, from, source, tag, flags, length, name, objects));
      return;
    }
    receive.onMatched(source, tag, length, objects);
    if ((flags & MORE) == 0) {
      receive.take(in);
      giveCredit(from, flags, length);
    } else {
      takeWithMore(in, receive, from, flags, length, name);
    }
  }

  /** A message of a past that is over: nobody can ask for it any more. */
  private void forget(int from, int flags, long length) {
    if ((flags & MpiEnvelope.LATER) == 0) {
      giveCredit(from, flags, length);
    }
  }

  /** A message that nobody waits for yet. */
  private void keep(InMessage in, int ofEpoch, Arrived arrived) {
    boolean later = (arrived.flags & MpiEnvelope.LATER) != 0;
    boolean follows = (arrived.flags & MpiEnvelope.FOLLOWS) != 0;
    arrived.payload = later ? null : follows ? new byte[(int) arrived.length] : in.receiveRest();
    arrived.isComing = follows;
    Receive receive = matching.matchOrKeep(ofEpoch, arrived);
    if (follows) {
      incoming.onFirstPart(in, arrived.node, arrived.name, arrived);
    }
    if (receive != null) {
      accept(receive, arrived); // it was asked for just now
    }
  }

  /** A message whose payload does not come with it, or whose sender waits to hear of it. */
  private void takeWithMore(
      InMessage in, Receive receive, int from, int flags, long length, int name) {
    if ((flags & MpiEnvelope.LATER) != 0) {
      askFor(from, name, receive);
      return;
    }
    if ((flags & MpiEnvelope.FOLLOWS) != 0) {
      incoming.onFirstPart(in, from, name, receive);
    } else {
      receive.take(in);
    }
    giveCredit(from, flags, length);
    if ((flags & MpiEnvelope.SYNC) != 0) {
      tell(from, go, name, 0, 0);
    }
  }

  private void onGo(InMessage in, int from) {
    int name = in.receiveInt();
    int receiveName = in.receiveInt();
    peers[from].onTakes();
    Send send = matching.send(name);
    if (send == null) {
      return; // it has failed meanwhile
    }
    if (receiveName == 0) {
      send.over();
    } else {
      outbox.onAsked(send, receiveName);
    }
  }

  private void onBye(InMessage in, int from) {
    int epoch = in.receiveInt();
    peers[from].onBye(epoch, in.receiveInt());
    noteFinalised(from);
  }

  /** If a rank has said so, and nothing of what it has sent to all is still to come. */
  private void noteFinalised(int node) {
    if (peers[node].hasJustFinalised() && matching.hasFinalised(peers[node])) {
      matching.failFinalised(node);
    }
  }

  /** Who aborted ends first, so that a launcher, which ends the others then, names that one. */
  private void onEnd(int code, int from) {
    System.err.printf("rank %d aborted the job with code %d%n", from, code);
    LockSupport.parkNanos(ABORTER_ENDS_NS);
    Runtime.getRuntime().halt(code);
  }

  // Events.

  @Override
  public void onNodeGone(int node, String why) {
    if (node >= peers.length) {
      return;
    }
    Peer peer = peers[node];
    boolean wasDone = matching.hasFinalised(peer);
    String text =
        "rank %d of the world %s: %s"
            .formatted(
                node, wasDone ? "has finalised and ended" : "has ended without MPI.Finalize", why);
    MpiError error = new MpiError(Kind.PROC_FAILED, text);
    peer.gone = text;
    matching.fail(node, !wasDone, error);
    incoming.onGone(node, error);
    outbox.fail(node, error);
  }

  @Override
  public void onHandlerFailed(Handler handler, int from, long bytes, Throwable why) {
    if (handler.equals(Outbox.DATA) && why instanceof MessageException e) {
      incoming.onBroken(lost(from, e)); // its sender ended in the middle
      return;
    }
    waiting.onBroken(
        new MpiError(
            Kind.INTERN,
            "a message of %d bytes from rank %d of the world was lost: %s"
                .formatted(bytes, from, why),
            why));
  }

  // Waiting.

  boolean hasWork() {
    return waiting.hasWork();
  }

  void await(Request request) {
    waiting.await(request);
  }

  void awaitOrTakeBack(Request request) {
    waiting.awaitOrTakeBack(request);
  }

  void takeBack(Request request) {
    waiting.takeBack(request);
  }

  void awaitThat(BooleanSupplier holds) {
    waiting.awaitThat(holds);
  }

  void look() {
    waiting.look();
  }

  void wake() {
    fm.wake();
  }

  // The end.

  /**
   * Tells the others that there will be no more, as soon as what was sent has been announced, and
   * waits until all sends are over. In that order, so that two with messages for each other that
   * neither receives do not wait for ever.
   */
  void finish() {
    awaitThat(new Waited.Ranks("takers of sends", outbox::isEmpty, matching::outsideRanks));
    for (int node = 0; node < peers.length; node++) {
      if (node != self && peers[node].gone == null) {
        tell(node, bye, matching.epoch(), peers[node].castsOut.get(), 0);
      }
    }
    awaitThat(
        new Waited.Ranks(
            "takers of sends",
            () -> outbox.isEmpty() && !matching.hasOutside(),
            matching::outsideRanks));
  }

  /** Waits until nobody will send any more. */
  void awaitFinalised() {
    awaitThat(new Waited.Ranks("the end of all", () -> unfinalised().isEmpty(), this::unfinalised));
  }

  private List<Integer> unfinalised() {
    return IntStream.range(0, peers.length)
        .filter(i -> i != self && peers[i].gone == null)
        .filter(i -> !matching.hasFinalised(peers[i]))
        .boxed()
        .toList();
  }

  /** Ends all ranks. */
  void abort(int code) {
    for (int node = 0; node < peers.length; node++) {
      if (node != self) {
        tell(node, end, code, 0, 0);
      }
    }
    fm.close();
  }

  /** The process ends: threads that wait do so until it is gone. */
  void endProcess() {
    waiting.endProcess();
    close();
  }

  /** What was sent arrives, however long that takes, unless who should get it is gone. */
  @Override
  public void close() {
    fm.close(Long.MAX_VALUE);
  }
}
