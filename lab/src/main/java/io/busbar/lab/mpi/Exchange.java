package io.busbar.lab.mpi;

import io.busbar.lab.stack.SimProcess;
import io.busbar.mpi.Communicator;
import io.busbar.mpi.Request;
import io.busbar.mpi.Status;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Messages between ranks, in all modes. Either everybody asks for all that it will get before it
 * sends, in whatever way; or nobody waits for what it sends before it has got all, in whatever way.
 */
final class Exchange {
  /** Whom a rank asks; all its receives of a phase are alike, or they could take each other's. */
  private enum Taste {
    EXACT,
    ANY_TAG,
    ANY_SOURCE,
    ANY_BOTH;

    boolean isAnyTag() {
      return this == ANY_TAG || this == ANY_BOTH;
    }

    boolean isAnySource() {
      return this == ANY_SOURCE || this == ANY_BOTH;
    }
  }

  private static final int DEAF_NS_MAX = 2_000_000;
  private static final int LOOKS_MAX = 8;

  private final Umpire umpire;
  private final SimProcess process;
  private final Errors errors;
  private final Team team;
  private final int phase;
  private final SplittableRandom own;
  private final Desk desk;
  private final Waits waits;
  private final List<Leg> incoming = new ArrayList<>();
  private final List<Leg> outgoing = new ArrayList<>();
  private final Taste taste;
  private final boolean asksFirst;
  private final boolean meets;
  private final boolean changesMind;
  private final int capacity;

  Exchange(
      Umpire umpire,
      SimProcess process,
      Errors errors,
      Team team,
      int phase,
      int salt,
      Script script) {
    this.umpire = umpire;
    this.process = process;
    this.errors = errors;
    this.team = team;
    this.phase = phase;
    own = process.random();
    changesMind = script.changesMind();
    desk = new Desk(umpire, process, team, phase);
    waits = new Waits(process, errors);
    SplittableRandom shared = new SplittableRandom(salt);
    asksFirst = shared.nextBoolean();
    boolean plain = errors.goesOn() || shared.nextBoolean();
    Taste[] tastes = new Taste[team.size()];
    boolean anyTag = false;
    for (int i = 0; i < tastes.length; i++) {
      tastes[i] = plain ? Taste.EXACT : Taste.values()[shared.nextInt(Taste.values().length)];
      anyTag |= tastes[i].isAnyTag();
    }
    taste = tastes[team.rank()];
    meets = anyTag;
    int most = 0;
    for (Leg leg : Leg.draw(shared, team.size(), phase, script.frameBytes())) {
      if (leg.to() == team.rank()) {
        incoming.add(leg);
        most = Math.max(most, leg.length());
      }
      if (leg.from() == team.rank()) {
        outgoing.add(leg);
      }
    }
    capacity = most;
  }

  void run() {
    shuffle(incoming);
    shuffle(outgoing);
    Request idle = own.nextInt(6) == 0 ? askForNothing() : null;
    if (asksFirst) {
      for (Leg leg : incoming) {
        errors.guard(team.node(leg.from()), () -> waits.add(start(leg)));
      }
    }
    for (Leg leg : outgoing) {
      errors.guard(team.node(leg.to()), () -> send(leg));
    }
    if (!asksFirst) {
      process.pass(1 + own.nextInt(DEAF_NS_MAX));
      for (Leg leg : incoming) {
        errors.guard(needed(leg), () -> receive(leg));
      }
    }
    waits.awaitAll();
    if (idle != null) {
      cancel(idle);
    }
    desk.check();
    if (meets) { // what follows could be for anybody's taste
      team.on().collectives().barrier();
    }
  }

  private void shuffle(List<Leg> list) {
    for (int i = list.size() - 1; i > 0; i--) {
      Collections.swap(list, i, own.nextInt(i + 1));
    }
  }

  // Sending.

  private void send(Leg leg) {
    int to = team.node(leg.to());
    Letter letter = umpire.letters().add(team.id(), process.node(), to, leg.tag(), leg.length());
    Sheet sheet = Sheet.of(leg.length(), leg.hasGaps());
    sheet.write(letter);
    boolean waitsForIt = asksFirst && (leg.mode() == Leg.Mode.PLAIN || leg.mode() == Leg.Mode.SYNC);
    boolean sync = leg.mode() == Leg.Mode.SYNC || leg.mode() == Leg.Mode.START_SYNC;
    String how = sync ? "sends in step to rank %d letter" : "sends to rank %d letter";
    umpire.note(process, how.formatted(to), letter.flow);
    Communicator on = team.on();
    if (waitsForIt) {
      on.send(sheet.memory(), 0, sheet.count(), sheet.type(), leg.to(), leg.tag(), sync);
      onSent(letter, sheet, to, sync);
    } else if (leg.mode() == Leg.Mode.START_COPY) {
      Request request =
          on.startSendCopy(sheet.memory(), 0, sheet.count(), sheet.type(), leg.to(), leg.tag());
      sheet.spoil();
      waits.add(new Pending(request, to, () -> {}));
    } else {
      Request request = start(leg, sheet, sync);
      waits.add(
          new Pending(
              request,
              to,
              () -> {
                if (request.error() == null) {
                  onSent(letter, sheet, to, sync);
                }
              }));
    }
  }

  private Request start(Leg leg, Sheet sheet, boolean sync) {
    Communicator on = team.on();
    if (!changesMind) {
      return on.startSend(
          sheet.memory(), 0, sheet.count(), sheet.type(), leg.to(), leg.tag(), sync);
    }
    Request apart =
        on.startSendApart(
            sheet.memory(), 0, sheet.count(), sheet.type(), leg.to(), leg.tag(), sync);
    sheet.spoil();
    return apart;
  }

  private void onSent(Letter letter, Sheet sheet, int to, boolean sync) {
    sheet.spoil();
    Promise.check(
        !sync || umpire.letters().isAskedFor(letter, team.id(), process.node(), to, phase),
        "in step means asked for",
        "rank %d is done with %s, and rank %d has not asked for it",
        process.node(),
        letter,
        to);
  }

  // Receiving.

  private int source(Leg leg) {
    return taste.isAnySource() ? Communicator.ANY : leg.from();
  }

  private int tag(Leg leg) {
    return taste.isAnyTag() ? Communicator.ANY : leg.tag();
  }

  private int needed(Leg leg) {
    return team.node(source(leg));
  }

  private boolean drawGaps() {
    return own.nextInt(5) == 0;
  }

  private Pending start(Leg leg) {
    return desk.start(source(leg), tag(leg), capacity + own.nextInt(3), drawGaps());
  }

  private void receive(Leg leg) {
    switch (own.nextInt(5)) {
      case 0, 1 -> desk.receive(source(leg), tag(leg), capacity, drawGaps());
      case 2 -> waits.add(start(leg));
      case 3 -> {
        Status status = new Status();
        team.on().probe(source(leg), tag(leg), status);
        desk.receive(status.source(), status.tag(), (int) status.bytes(), false);
      }
      default -> take(leg);
    }
  }

  /** Looks a few times whether it is there before it waits. */
  private void take(Leg leg) {
    Pending taken = null;
    for (int looks = own.nextInt(LOOKS_MAX); taken == null; looks--) {
      taken = desk.take(source(leg), tag(leg), capacity, looks <= 0);
      process.pass(1 + own.nextInt(20_000));
    }
    waits.add(taken);
  }

  private Request askForNothing() {
    int tag = phase * Leg.TAGS + Leg.TAGS - 1;
    return team.on().startReceive(new byte[1], 0, 1, Sheet.of(1, false).type(), team.rank(), tag);
  }

  private void cancel(Request idle) {
    idle.cancel();
    idle.await();
    Promise.check(
        idle.isCancelled(),
        "nothing is invented",
        "rank %d asked for what nobody sent, and got it",
        process.node());
  }
}
