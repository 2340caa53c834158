package io.busbar.mpi;

import io.busbar.mpi.MpiError.Kind;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What one rank has asked for and what has come, by context; and the sends and receives that other
 * ranks speak of by name. Any thread; one lock, under which nothing is copied and nothing is sent.
 */
final class Matching {
  private static final int EPOCH_MASK = 0xFFFF;
  private static final String ALL_FINALISED = "all ranks that could send it have finalised";

  private final Peer[] peers;
  private final int self;

  /** Guards all that follows. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Contexts contexts = new Contexts();
  private final Map<Integer, Contexts> ofLaterEpochs = new HashMap<>();
  private final Names<Receive> wanted = new Names<>();
  private final Names<Send> outside = new Names<>();
  private volatile int epoch = -1;

  /** Whether this rank has finalised: it sends nothing more, to itself neither. */
  private volatile boolean ended;

  Matching(Peer[] peers, int self) {
    this.peers = peers;
    this.self = self;
  }

  // Epochs and contexts.

  /** How often MPI was begun; 16 bits of it. */
  int epoch() {
    return epoch & EPOCH_MASK;
  }

  /**
   * Another epoch begins; messages of it may have come before.
   *
   * @param left told of each message of the last one that nobody has received, and nobody will
   */
  int beginEpoch(Consumer<Arrived> left) {
    lock.lock();
    try {
      contexts.forEach(one -> one.forEachArrived(left));
      MpiError why = new MpiError(Kind.PROC_FAILED, "this rank has finalised");
      contexts.forEach(one -> one.fail(_ -> true, why)); // a thread may wait still
      int next = epoch + 1;
      epoch = next;
      ended = false;
      Contexts early = ofLaterEpochs.remove(epoch());
      contexts.become(early == null ? new Contexts() : early);
      return epoch();
    } finally {
      lock.unlock();
    }
  }

  /** This rank has finalised: threads of it that wait for what nobody can send are told. */
  void endEpoch() {
    lock.lock();
    try {
      ended = true;
      failHopeless();
    } finally {
      lock.unlock();
    }
  }

  private void failHopeless() {
    MpiError why = new MpiError(Kind.PROC_FAILED, ALL_FINALISED);
    contexts.forEach(
        one ->
            one.fail(receive -> hopeless(receive.communicator, receive.wantedSource) != null, why));
  }

  /** Whether an epoch has ended here. */
  boolean isPast(int other) {
    int ago = (epoch - other) & EPOCH_MASK;
    return ago > 0 && ago <= EPOCH_MASK / 2;
  }

  /** Whether a rank has ended this epoch, or a later one. */
  boolean hasFinalised(Peer peer) {
    int finalised = peer.finalisedEpoch;
    return finalised >= 0 && !isPast(finalised);
  }

  /** A communicator of an epoch uses some contexts, until it is freed. */
  void hold(int ofEpoch, int first, int count) {
    lock.lock();
    try {
      for (int i = 0; i < count && ofEpoch == epoch(); i++) {
        contexts.hold(first + i);
      }
    } finally {
      lock.unlock();
    }
  }

  /** It was freed: what is under way in them goes on. */
  void letGo(int ofEpoch, int first, int count) {
    lock.lock();
    try {
      for (int i = 0; i < count && ofEpoch == epoch(); i++) {
        contexts.letGo(first + i);
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many contexts there are: of communicators, and in which something waits. */
  int contexts() {
    lock.lock();
    try {
      return contexts.count() + ofLaterEpochs.values().stream().mapToInt(Contexts::count).sum();
    } finally {
      lock.unlock();
    }
  }

  // What has come.

  /**
   * Whether nothing waits in a context of this epoch, as far as the caller can know: what other
   * threads do at this moment may be before or after. Without the lock.
   */
  boolean isEmpty(int number) {
    Context in = contexts.find(number);
    return in == null || in.isEmpty();
  }

  /** The receive that a message is for, which waits no longer; null if none is. */
  @Nullable Receive match(int ofEpoch, int number, int source, int tag) {
    lock.lock();
    try {
      return ofEpoch == epoch() ? match(number, source, tag) : null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The same, for a message for which there was none a moment ago: if there is none still, it is
   * kept.
   */
  @Nullable Receive matchOrKeep(int ofEpoch, Arrived arrived) {
    lock.lock();
    try {
      boolean isNow = ofEpoch == epoch();
      Receive receive = isNow ? match(arrived.context, arrived.source, arrived.tag) : null;
      if (receive == null) {
        Contexts keeper =
            isNow ? contexts : ofLaterEpochs.computeIfAbsent(ofEpoch, _ -> new Contexts());
        keeper.obtain(arrived.context).add(arrived);
      }
      return receive;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Receive match(int number, int source, int tag) {
    Context in = contexts.find(number);
    Receive receive = in == null ? null : in.match(source, tag);
    if (in != null && receive != null) {
      contexts.dropIfIdle(in);
    }
    return receive;
  }

  /** The first message that was kept, from somebody with a tag; it stays. Null if there is none. */
  @Nullable Arrived peek(int number, int source, int tag) {
    lock.lock();
    try {
      Context in = contexts.find(number);
      return in == null ? null : in.find(source, tag);
    } finally {
      lock.unlock();
    }
  }

  /** The same, and it is the caller's then. */
  @Nullable Arrived remove(int number, int source, int tag) {
    lock.lock();
    try {
      return take(number, source, tag);
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Arrived take(int number, int source, int tag) {
    Context in = contexts.find(number);
    Arrived arrived = in == null ? null : in.find(source, tag);
    if (in != null && arrived != null) {
      in.remove(arrived);
      contexts.dropIfIdle(in);
    }
    return arrived;
  }

  /** Messages of one kind: in which context, from whom, with which tag. */
  record Shelf(int context, int source, int tag) {}

  /** How many of them. */
  record Left(int count, long bytes) {}

  /** What has come in this epoch for programs, and stayed. */
  Map<Shelf, Left> unreceived() {
    Map<Shelf, Left> all = new LinkedHashMap<>();
    lock.lock();
    try {
      for (Context in : contexts.ofPrograms()) {
        in.forEachArrived(
            one -> {
              Shelf shelf = new Shelf(one.context, one.source, one.tag);
              Left before = all.getOrDefault(shelf, new Left(0, 0));
              all.put(shelf, new Left(before.count + 1, before.bytes + one.length));
            });
      }
    } finally {
      lock.unlock();
    }
    return all;
  }

  /** Receives of programs in this epoch that nothing has come for, and how many. */
  Map<Shelf, Integer> incomplete() {
    Map<Shelf, Integer> all = new LinkedHashMap<>();
    lock.lock();
    try {
      for (Context in : contexts.ofPrograms()) {
        in.forEachReceive(
            one -> {
              Shelf shelf = new Shelf(one.context, one.wantedSource, one.wantedTag);
              int _ = all.merge(shelf, 1, Integer::sum);
            });
      }
    } finally {
      lock.unlock();
    }
    return all;
  }

  // Payloads that follow.

  /**
   * A receive has got a message whose payload may still be coming: then that is what it waits for.
   *
   * @return whether it has to wait, or has failed
   */
  boolean awaitPayload(Receive receive, Arrived arrived) {
    lock.lock();
    try {
      MpiError why = arrived.broken;
      if (why != null) {
        receive.fail(why.again());
      } else if (arrived.isComing) {
        arrived.taker = receive;
      }
      return why != null || arrived.isComing;
    } finally {
      lock.unlock();
    }
  }

  /** A payload is here; the receive that waits for it, if one does. */
  @Nullable Receive complete(Arrived arrived) {
    lock.lock();
    try {
      arrived.isComing = false;
      return arrived.taker;
    } finally {
      lock.unlock();
    }
  }

  /** The rest of a payload will not come. */
  void breakOff(Sink sink, MpiError why) {
    lock.lock();
    try {
      switch (sink) {
        case Receive receive -> receive.fail(why);
        case Arrived arrived -> breakOff(arrived, why);
      }
    } finally {
      lock.unlock();
    }
  }

  private void breakOff(Arrived arrived, MpiError why) {
    arrived.broken = why;
    Context keeper = arrived.keeper;
    if (keeper != null) {
      keeper.remove(arrived);
      contexts.dropIfIdle(keeper);
    }
    Receive taker = arrived.taker;
    if (taker != null) {
      taker.fail(why.again());
    }
  }

  // What is asked for.

  /** A message that was kept, for a receive; null: it waits for one, or has failed. */
  @Nullable Arrived post(Receive receive) {
    lock.lock();
    try {
      Arrived arrived = take(receive.context, receive.wantedSource, receive.wantedTag);
      if (arrived != null) {
        return arrived;
      }
      MpiError why = hopeless(receive.communicator, receive.wantedSource);
      if (why != null) {
        receive.fail(why);
      } else {
        contexts.obtain(receive.context).post(receive);
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Why nothing will come from a rank any more; null if something can. From any rank nothing is
   * certain to come when one has ended that had not finalised: it may be the one that is meant.
   * Nothing comes when all have finalised, this rank among them.
   */
  @Nullable MpiError hopeless(Communicator in, int source) {
    String why = null;
    if (source != Receive.ANY) {
      int node = in.nodeOf(source);
      why = node == self ? null : peers[node].gone;
      if (why == null && hasFinalised(node)) {
        why = finalised(node);
      }
    } else if (ended && haveFinalised(in)) {
      why = ALL_FINALISED;
    } else {
      for (int node = 0; why == null && node < peers.length; node++) {
        String gone = peers[node].gone;
        boolean isMissing = gone != null && !hasFinalised(peers[node]);
        why = isMissing && in.hasNode(node) ? gone : null;
      }
    }
    return why == null ? null : new MpiError(Kind.PROC_FAILED, why);
  }

  private boolean hasFinalised(int node) {
    return node == self ? ended : hasFinalised(peers[node]);
  }

  /** Whether no process at the other end of a communicator sends any more. */
  private boolean haveFinalised(Communicator in) {
    for (int node = 0; node < peers.length; node++) {
      if (in.hasNode(node) && !hasFinalised(node) && peers[node].gone == null) {
        return false;
      }
    }
    return true;
  }

  /** A message that its sender calls back, which nobody gets then; null if somebody has got it. */
  @Nullable Arrived giveUp(int ofEpoch, int number, Predicate<Arrived> which) {
    lock.lock();
    try {
      Contexts keeper = ofEpoch == epoch() ? contexts : ofLaterEpochs.get(ofEpoch);
      return keeper == null ? null : giveUp(keeper, number, which);
    } finally {
      lock.unlock();
    }
  }

  private static @Nullable Arrived giveUp(Contexts keeper, int number, Predicate<Arrived> which) {
    Context in = keeper.find(number);
    Arrived taken = in == null ? null : in.take(which);
    if (in != null && taken != null) {
      keeper.dropIfIdle(in);
    }
    return taken;
  }

  void cancel(Receive receive) {
    lock.lock();
    try {
      Context in = contexts.find(receive.context);
      if (in != null && receive.isPosted) {
        in.remove(receive);
        contexts.dropIfIdle(in);
        receive.completeCancelled();
      }
    } finally {
      lock.unlock();
    }
  }

  // Names.

  /** A receive waits for a payload, and has a name from now on. */
  int name(Receive receive) {
    lock.lock();
    try {
      receive.name = wanted.put(receive);
      return receive.name;
    } finally {
      lock.unlock();
    }
  }

  /** The receive of a name, which it has no longer then. */
  @Nullable Receive receive(int name) {
    lock.lock();
    try {
      return wanted.remove(name);
    } finally {
      lock.unlock();
    }
  }

  /** A send waits for an answer: its name. */
  int name(Send send) {
    lock.lock();
    try {
      int name = outside.put(send);
      peers[send.to].outside++;
      return name;
    } finally {
      lock.unlock();
    }
  }

  /** The send of a name, which it has no longer then. */
  @Nullable Send send(int name) {
    lock.lock();
    try {
      return forget(name);
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Send forget(int name) {
    Send send = outside.remove(name);
    if (send != null) {
      peers[send.to].outside--;
    }
    return send;
  }

  /** How many sends and receives have a name. */
  int named() {
    lock.lock();
    try {
      return wanted.size() + outside.size();
    } finally {
      lock.unlock();
    }
  }

  /** Looks at every message that was kept, with the lock. */
  void forEachKept(Consumer<Arrived> action) {
    lock.lock();
    try {
      contexts.forEach(one -> one.forEachArrived(action));
      ofLaterEpochs.values().forEach(all -> all.forEach(one -> one.forEachArrived(action)));
    } finally {
      lock.unlock();
    }
  }

  /** Whether a send waits for the answer of a rank that has not finalised. */
  boolean hasOutside() {
    lock.lock();
    try {
      for (Peer peer : peers) {
        if (waitsFor(peer)) {
          return true;
        }
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** The ranks of the world that have not finalised, and for whose answer a send waits. */
  List<Integer> outsideRanks() {
    lock.lock();
    try {
      return IntStream.range(0, peers.length).filter(i -> waitsFor(peers[i])).boxed().toList();
    } finally {
      lock.unlock();
    }
  }

  private boolean waitsFor(Peer peer) {
    return peer.outside > 0 && !hasFinalised(peer);
  }

  private static String finalised(int node) {
    return "rank %d of the world has finalised".formatted(node);
  }

  /** A rank has finalised: nothing comes from it that has not come, or was asked for. */
  void failFinalised(int node) {
    MpiError why = new MpiError(Kind.PROC_FAILED, finalised(node));
    lock.lock();
    try {
      contexts.forEach(one -> one.fail(receive -> receive.needs(node, false), why));
      outside.forEach(
          send -> {
            if (send.to == node && send.isUnwanted()) {
              Send _ = forget(send.name);
              send.backHere(); // who has finalised answers no more, and would have before
            }
          });
      if (ended) {
        failHopeless();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * A rank is gone: what needs it fails.
   *
   * @param anybody whether those fail, too, that would take a message from any rank
   */
  void fail(int node, boolean anybody, MpiError why) {
    lock.lock();
    try {
      contexts.forEach(one -> one.fail(receive -> receive.needs(node, anybody), why));
      wanted.forEach(
          receive -> {
            if (receive.isFrom(node)) {
              Receive _ = wanted.remove(receive.name);
              receive.fail(why.again());
            }
          });
      outside.forEach(
          send -> {
            if (send.to == node) {
              Send _ = forget(send.name);
              send.fail(why.again());
            }
          });
    } finally {
      lock.unlock();
    }
  }
}
