package io.busbar.mpi;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The communicators of this process by their contexts, as long as somebody wants to know their
 * names; and what was left undone when MPI ended.
 */
final class Ledger {
  private final Map<Integer, Communicator> founded = new ConcurrentSkipListMap<>();

  void begin() {
    founded.clear();
  }

  void add(int context, Communicator communicator) {
    founded.put(context, communicator);
  }

  /** One that was given no name has the same one for who asks later. */
  void onFreed(int context) {
    Communicator known = founded.get(context);
    if (known != null && known.name().equals(nameless(context))) {
      founded.remove(context);
    }
  }

  /** The name of who uses a context, for messages or for collectives. */
  String name(int context) {
    Communicator known = founded.get(context & ~1);
    Communicator made = known == null ? founded.get(context & -Communicator.CONTEXTS) : known;
    return made == null ? nameless(context) : made.name();
  }

  /** Of one that was given no name. */
  static String nameless(int context) {
    return "communicator " + (context >> 1);
  }

  /** Says what nobody has received, what never came, and what was not given back. */
  void report(
      int rank,
      Map<Matching.Shelf, Matching.Left> unreceived,
      Map<Matching.Shelf, Integer> incomplete) {
    unreceived.forEach(
        (what, left) ->
            say(
                rank,
                "never received %d message%s from rank %d with tag %d in %s, %d bytes"
                    .formatted(
                        left.count(),
                        left.count() == 1 ? "" : "s",
                        what.source(),
                        what.tag(),
                        name(what.context()),
                        left.bytes())));
    incomplete.forEach(
        (what, count) ->
            say(
                rank,
                "ended with %d receive%s from %s with %s in %s that nothing came for"
                    .formatted(
                        count,
                        count == 1 ? "" : "s",
                        what.source() == Receive.ANY ? "any rank" : "rank " + what.source(),
                        what.tag() == Receive.ANY ? "any tag" : "tag " + what.tag(),
                        name(what.context()))));
    founded.values().stream()
        .filter(one -> !one.isFreed() && !one.isPredefined())
        .map(Communicator::name)
        .forEach(name -> say(rank, "never freed " + name));
  }

  private static void say(int rank, String what) {
    System.err.printf("busbar check: rank %d %s%n", rank, what);
  }
}
