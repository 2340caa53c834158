package io.busbar.lab.mpi;

import io.busbar.lab.stack.SimProcess;
import io.busbar.mpi.Communicator;
import io.busbar.mpi.MpiError;
import io.busbar.mpi.Request;
import io.busbar.mpi.Status;
import java.util.SplittableRandom;

/**
 * Sends of one rank that nobody need receive, and that are called back: each is received, or it
 * never was. They have a communicator of their own, so that no other receive takes one.
 */
final class Recalls {
  private static final int ROUNDS_MAX = 3;
  private static final int BETWEEN_NS_MAX = 300_000;

  /** Shorter ones in step, longer ones in any way: neither is over before it is received. */
  private static final int UNASKED_BYTES_MAX = 256 << 10;

  private final Umpire umpire;
  private final SimProcess process;
  private final Team team;
  private final SplittableRandom random;

  Recalls(Umpire umpire, SimProcess process, Team team) {
    this.umpire = umpire;
    this.process = process;
    this.team = team;
    this.random = process.random();
  }

  /** A letter to somebody, with a tag that no other one of this rank's has. */
  void play(int tag) {
    int to = random.nextInt(team.size());
    boolean sync = to == team.rank() || random.nextInt(3) > 0;
    int length = sync ? random.nextInt(20_000) : UNASKED_BYTES_MAX + 1 + random.nextInt(1_000);
    Letter letter = umpire.letters().add(team.id(), process.node(), team.node(to), tag, length);
    Sheet sheet = Sheet.of(length, false);
    sheet.write(letter);
    umpire.note(process, "may call back from rank %d letter".formatted(to), letter.flow);
    Request sent =
        team.on().startSend(sheet.memory(), 0, sheet.count(), sheet.type(), to, tag, sync);
    Asked asked = random.nextInt(4) == 0 ? new Asked() : null;
    for (int i = random.nextInt(ROUNDS_MAX); i > 0; i--) {
      process.pass(1 + random.nextInt(BETWEEN_NS_MAX));
      look();
    }
    sent.cancel();
    if (asked != null) {
      asked.end();
    }
    finish(sent);
    judge(letter, sent);
  }

  private void judge(Letter letter, Request sent) {
    Promise.check(
        !(sent.isCancelled() && letter.taken),
        "what is called back is received or never was",
        "rank %d has called back %s, and it was taken",
        process.node(),
        letter);
    letter.calledBack = sent.isCancelled();
    umpire.onEndOfRecall(letter);
  }

  /** Takes a letter if there is one. */
  private void look() {
    Status status = new Status();
    Communicator.Found found = team.on().take(Communicator.ANY, Communicator.ANY, status, false);
    if (found != null) {
      Letter letter = take(status.source(), status.tag());
      Sheet sheet = Sheet.of((int) status.bytes(), false);
      Request came = found.startReceive(sheet.memory(), 0, sheet.count(), sheet.type());
      finish(came);
      check(sheet, letter);
    }
  }

  /** A receive for any letter, which is cancelled if none comes. */
  private final class Asked {
    private final Sheet sheet = Sheet.of(2 * UNASKED_BYTES_MAX, false);
    private final Request request =
        team.on()
            .startReceive(
                sheet.memory(), 0, sheet.count(), sheet.type(), Communicator.ANY, Communicator.ANY);

    void end() {
      request.cancel();
      finish(request);
      if (!request.isCancelled()) {
        Letter letter = take(request.source(), request.tag());
        Sheet own = Sheet.of(letter.length, false);
        System.arraycopy(sheet.memory(), 0, own.memory(), 0, letter.length);
        check(own, letter);
      }
    }
  }

  private Letter take(int source, int tag) {
    for (Letter letter : umpire.letters().of(team.id(), team.node(source), process.node())) {
      if (letter.tag == tag) {
        Promise.check(
            !letter.taken && !letter.calledBack,
            "what is called back is received or never was",
            "rank %d has %s, which is %s",
            process.node(),
            letter,
            letter.taken ? "taken" : "cancelled");
        letter.taken = true;
        return letter;
      }
    }
    throw Promise.broken(
        "nothing is invented",
        "rank %d has a message with tag %d, and nobody sent it".formatted(process.node(), tag));
  }

  private void check(Sheet sheet, Letter letter) {
    Promise.check(
        sheet.has(letter),
        "every letter in its order and complete",
        "rank %d has other bytes than those of %s",
        process.node(),
        letter);
    umpire.onReceived(process, letter);
  }

  private static void finish(Request request) {
    request.await();
    MpiError error = request.error();
    if (error != null) {
      throw error;
    }
  }
}
