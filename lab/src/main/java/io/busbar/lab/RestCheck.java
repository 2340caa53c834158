package io.busbar.lab;

import io.busbar.transport.Count;
import io.busbar.transport.Transport;
import java.util.List;

/** After the faults: everything has ended, nothing is held, nothing moves, and it did not storm. */
final class RestCheck {
  /** Frames that a conversation may cost beside its data: opening, closing, asking, answering. */
  private static final long FRAMES_PER_CONVERSATION = 400;

  /** Frames per frame of data: one, its status, and what repair costs under the worst of plans. */
  private static final double FRAMES_PER_DATA = 6;

  private static final List<Count> NONSENSE =
      List.of(
          Count.DROP_FORMAT,
          Count.DROP_SEQUENCE,
          Count.DROP_BLOCK,
          Count.DROP_SPANS,
          Count.DROP_NOT_FOR_US,
          Count.DROP_WRONG_CLUSTER,
          Count.DROP_WRONG_NODE,
          Count.DROP_PAST_END,
          Count.DROP_BAD_ACK,
          Count.DROP_UNEXPECTED);

  private final Scenario scenario;

  RestCheck(Scenario scenario) {
    this.scenario = scenario;
  }

  void check() {
    for (Program program : scenario.programs()) {
      Violation.check(
          !program.isAlive() || program.talking() == 0,
          "convergence after healing",
          "%d conversations of node %d have not ended",
          program.talking(),
          program.node().id());
      Violation.check(
          program.restartsUntold() == 0,
          "every event once",
          "node %d lost conversations to a restart that it was not told of",
          program.node().id());
    }
    for (int i = 0; i < scenario.cluster().size(); i++) {
      if (scenario.cluster().node(i).isUp()) {
        checkRest(scenario.cluster().node(i));
      }
    }
    checkSense();
    checkStorm();
  }

  /** Whatever the faults, nobody sends what a sound frame never says: checksums come first. */
  private void checkSense() {
    for (Program program : scenario.programs()) {
      for (Count count : NONSENSE) {
        Violation.check(
            program.counted(count) == 0,
            "no nonsense is sent",
            "node %d counts %s",
            program.node().id(),
            count);
      }
    }
  }

  private void checkRest(SimNode node) {
    Transport transport = node.transport();
    Violation.check(
        transport.associations() == 0
            && transport.busyParts() == 0
            && transport.creditTakenBytes() == 0
            && transport.heldBytes() == 0
            && node.nic().claims() == 0,
        "convergence after healing",
        "node %d still has %d associations, %d parts, %d bytes promised, %d kept, %d claims",
        node.id(),
        transport.associations(),
        transport.busyParts(),
        transport.creditTakenBytes(),
        transport.heldBytes(),
        node.nic().claims());
    for (int peer = 0; peer < scenario.cluster().size(); peer++) {
      Violation.check(
          transport.onTheirWayBytes(peer) == 0,
          "convergence after healing",
          "node %d counts %d bytes on their way to node %d",
          node.id(),
          transport.onTheirWayBytes(peer),
          peer);
    }
    Violation.check(
        node.deadlineNs() == Long.MAX_VALUE,
        "convergence after healing",
        "node %d has a timer running, and nothing to do",
        node.id());
  }

  /** Frames stay within what their data explains; true at any time. */
  void checkStorm() {
    long data = scenario.ledger().framesNeeded(scenario.frameBytes());
    long all = 0;
    for (Program program : scenario.programs()) {
      all += program.counted(Count.FRAMES_OUT);
    }
    long conversations = scenario.ledger().entries().size();
    double bound = FRAMES_PER_CONVERSATION * conversations + FRAMES_PER_DATA * data;
    Violation.check(
        all <= bound,
        "no frame storms",
        "%d frames for %d of data and %d conversations",
        all,
        data,
        conversations);
  }
}
