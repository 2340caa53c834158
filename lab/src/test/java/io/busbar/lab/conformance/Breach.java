package io.busbar.lab.conformance;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicEvents;
import java.util.function.UnaryOperator;

/** A breach of the contract, and the check that must notice it. */
enum Breach {
  LONG_FRAMES_CUT("whole frames"),
  PEERS_SWAPPED("whole frames"),
  FRAME_LOST("order and loss"),
  FRAME_DOUBLED("order and loss"),
  FRAME_CHANGED("order and loss"),
  FRAME_OVERTAKEN("order and loss"),
  DOUBLED_ON_A_LOSSY_LINE("order and loss"),
  CHANGED_ON_A_LOSSY_LINE("order and loss"),
  NO_PROGRESS_ON_A_LOSSY_LINE("order and loss"),
  COMMITTED_TOO_MUCH("written in place"),
  ABANDONED_SENT("written in place"),
  ABANDONED_LEAKED("written in place"),
  MEMORY_READ_LATE("memory of the caller"),
  TICKET_TOO_SOON("memory of the caller"),
  TICKET_NEVER("memory of the caller"),
  FULL_HIDDEN("full"),
  FULL_FOR_EVER("full"),
  FULL_HANGS("full"),
  LOSS_NOT_COUNTED("full"),
  TOO_LONG_TAKEN("too long and too short"),
  NOTHING_TAKEN("too long and too short"),
  BUDGET_IGNORED("budget"),
  POLL_MISCOUNTS("budget"),
  REST_FORGOTTEN("budget"),
  CLAIMED_MEMORY_REUSED("claims"),
  CLAIMS_WITHOUT_QUOTA("claims"),
  CLAIMS_NOT_COUNTED("claims"),
  ANYTHING_RELEASED("claims"),
  QUOTA_LOST("claims"),
  OLD_NAME_TAKEN("claims"),
  KEPT_FRAME_NOT_CLAIMED("claims"),
  RELEASE_INSIDE_FORGOTTEN("claims"),
  CLAIMS_UNANNOUNCED("claims"),
  POLL_INSIDE("inside a delivery"),
  TROUBLE_SWALLOWED("inside a delivery"),
  TROUBLE_FOR_EVER("inside a delivery"),
  DELIVERED_AGAIN("inside a delivery"),
  NO_SENDING_INSIDE("inside a delivery"),
  SENDER_HEARS_ITSELF("broadcast"),
  BROADCAST_TO_ONE("broadcast"),
  BROADCAST_TWICE("broadcast"),
  BROADCAST_UNANNOUNCED("broadcast"),
  SOURCE_WRONG("strangers"),
  SOURCE_OF_A_STRANGER_WRONG("strangers"),
  TWO_NUMBERS("opening and closing"),
  NOT_CLOSED("opening and closing"),
  NOT_OPENED_AGAIN("opening and closing"),
  NO_CLOSING_INSIDE("closing inside a delivery"),
  FRAME_GOES_WITH_ITS_SENDER("closing inside a delivery"),
  BELL_FORGOTTEN_AT_ONCE("sleep"),
  BELL_FORGOTTEN_LATER("sleep"),
  ARMED_BLINDLY("sleep"),
  NEVER_ARMED("sleep"),
  BELL_RINGS_ON("sleep"),
  SLEEP_UNANNOUNCED("sleep"),
  BUFFER_COPIED("ownership"),
  BUFFER_KEPT("ownership"),
  OWNERSHIP_UNANNOUNCED("ownership"),
  DEATH_UNTOLD("death notice"),
  DEAD_STILL_TAKES("death notice"),
  LAST_WORDS_LOST("death notice"),
  COUNTED_TOO_MUCH("counters"),
  COUNTERS_STAND_STILL("counters"),
  WORKS_WHEN_CLOSED("closed is closed"),
  CLOSES_ONCE("closed is closed"),
  ALLOCATES_SENDING("no allocation"),
  ALLOCATES_POLLING("no allocation");

  private static final int SELDOM = 1000;

  private final String check;

  Breach(String check) {
    this.check = check;
  }

  /** The name of the check that must notice. */
  String check() {
    return check;
  }

  NicRig rig() {
    return switch (this) {
      case DOUBLED_ON_A_LOSSY_LINE -> sim(nic -> new BrokenSending.Doubles(nic, SELDOM));
      case CHANGED_ON_A_LOSSY_LINE -> sim(nic -> new BrokenSending.Flips(nic, SELDOM));
      case NO_PROGRESS_ON_A_LOSSY_LINE -> sim(nic -> new BrokenSending.LosesMost(nic, SELDOM));
      case LOSS_NOT_COUNTED -> sim(nic -> new BrokenSending.Loses(nic, SELDOM));
      case SOURCE_OF_A_STRANGER_WRONG -> sim(BrokenPeers.WrongSource::new);
      case DEATH_UNTOLD -> new DeafRig();
      default -> new LoopRig().with(this::broken);
    };
  }

  private Nic broken(Nic nic) {
    return switch (this) {
      case LONG_FRAMES_CUT -> new BrokenSending.Cuts(nic);
      case PEERS_SWAPPED -> new BrokenReceiving.SwapsPeers(nic);
      case FRAME_LOST -> new BrokenSending.Loses(nic, SELDOM);
      case FRAME_DOUBLED -> new BrokenSending.Doubles(nic, SELDOM);
      case FRAME_CHANGED -> new BrokenSending.Flips(nic, SELDOM);
      case FRAME_OVERTAKEN -> new BrokenSending.Overtakes(nic, SELDOM);
      case COMMITTED_TOO_MUCH -> new BrokenSending.CommitsAll(nic);
      case ABANDONED_SENT -> new BrokenSending.SendsAbandoned(nic);
      case ABANDONED_LEAKED -> new BrokenSending.LeaksAbandoned(nic);
      case MEMORY_READ_LATE -> new BrokenSending.ReadsLate(nic);
      case TICKET_TOO_SOON -> new BrokenSending.Tickets(nic, true);
      case TICKET_NEVER -> new BrokenSending.Tickets(nic, false);
      case FULL_HIDDEN -> new BrokenSending.Hides(nic, Nic.FULL);
      case FULL_FOR_EVER -> new BrokenSending.StaysFull(nic);
      case FULL_HANGS -> new BrokenSending.Hangs(nic);
      case TOO_LONG_TAKEN -> new BrokenSending.Hides(nic, Nic.TOO_LONG);
      case NOTHING_TAKEN -> new BrokenSending.TakesNothing(nic);
      case BUDGET_IGNORED -> new BrokenReceiving.IgnoresTheBudget(nic);
      case POLL_MISCOUNTS -> new BrokenReceiving.Miscounts(nic);
      case REST_FORGOTTEN -> new BrokenReceiving.ForgetsTheRest(nic);
      case CLAIMED_MEMORY_REUSED -> new BrokenReceiving.ReusesClaimed(nic, 16);
      case CLAIMS_WITHOUT_QUOTA -> new BrokenReceiving.ReusesClaimed(nic, Integer.MAX_VALUE);
      case CLAIMS_NOT_COUNTED -> new BrokenReceiving.ForgetsTheCount(nic);
      case ANYTHING_RELEASED -> new BrokenReceiving.ReleasesAnything(nic);
      case QUOTA_LOST -> new BrokenReceiving.LosesTheQuota(nic);
      case OLD_NAME_TAKEN -> new BrokenReceiving.TakesOldNames(nic);
      case KEPT_FRAME_NOT_CLAIMED -> new BrokenReceiving.ClaimsOnlyTheCurrent(nic);
      case RELEASE_INSIDE_FORGOTTEN -> new BrokenReceiving.ForgetsReleases(nic);
      case POLL_INSIDE -> new BrokenReceiving.PollsInside(nic);
      case TROUBLE_SWALLOWED -> new BrokenReceiving.Troubles(nic, true);
      case TROUBLE_FOR_EVER -> new BrokenReceiving.Troubles(nic, false);
      case DELIVERED_AGAIN -> new BrokenReceiving.DeliversAgain(nic);
      case NO_SENDING_INSIDE -> new BrokenReceiving.SilentInside(nic);
      case SENDER_HEARS_ITSELF -> new BrokenPeers.HearsItself(nic);
      case BROADCAST_TO_ONE -> new BrokenPeers.Broadcasts(nic, false);
      case BROADCAST_TWICE -> new BrokenPeers.Broadcasts(nic, true);
      case SOURCE_WRONG -> new BrokenPeers.WrongSource(nic);
      case TWO_NUMBERS -> new BrokenPeers.TwoNumbers(nic);
      case NOT_CLOSED -> new BrokenPeers.Ways(nic, false);
      case NOT_OPENED_AGAIN -> new BrokenPeers.Ways(nic, true);
      case NO_CLOSING_INSIDE -> new BrokenPeers.Closing(nic, false);
      case FRAME_GOES_WITH_ITS_SENDER -> new BrokenPeers.Closing(nic, true);
      case BELL_FORGOTTEN_AT_ONCE -> new BrokenPeers.ForgetsABell(nic, 150);
      case BELL_FORGOTTEN_LATER -> new BrokenPeers.ForgetsABell(nic, 3000);
      case ARMED_BLINDLY -> new BrokenPeers.Arms(nic, true);
      case NEVER_ARMED -> new BrokenPeers.Arms(nic, false);
      case BELL_RINGS_ON -> new BrokenPeers.RingsOn(nic);
      case BUFFER_COPIED -> new BrokenSending.CopiesBuffers(nic);
      case BUFFER_KEPT -> new BrokenReceiving.KeepsBuffers(nic);
      case DEAD_STILL_TAKES -> new BrokenSending.Hides(nic, Nic.GONE);
      case LAST_WORDS_LOST -> new BrokenReceiving.LosesLastWords(nic);
      case COUNTED_TOO_MUCH -> new BrokenPeers.Counters(nic, false);
      case COUNTERS_STAND_STILL -> new BrokenPeers.Counters(nic, true);
      case WORKS_WHEN_CLOSED -> new BrokenPeers.WorksClosed(nic);
      case CLOSES_ONCE -> new BrokenPeers.ClosesOnce(nic);
      case ALLOCATES_SENDING -> new BrokenSending.AllocatesSending(nic);
      case ALLOCATES_POLLING -> new BrokenReceiving.AllocatesPolling(nic);
      case CLAIMS_UNANNOUNCED, BROADCAST_UNANNOUNCED, SLEEP_UNANNOUNCED, OWNERSHIP_UNANNOUNCED ->
          new BrokenPeers.Understates(nic);
      default -> throw new IllegalStateException(this + " is no interface of its own");
    };
  }

  private static NicRig sim(UnaryOperator<Nic> broken) {
    return new SimRig().with(broken);
  }

  /** Nobody is told anything. */
  private static final class DeafRig extends LoopRig {
    @Override
    public Nic station(int index, NicEvents events) {
      return super.station(index, NicEvents.NONE);
    }
  }
}
