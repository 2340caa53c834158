package io.busbar.lab.conformance;

import java.util.List;

/** The contract of {@link io.busbar.fabric.Nic} as checks, in the order of its methods. */
public final class NicConformance {
  private static final List<NicCheck> CHECKS =
      List.of(
          new NicCheck(
              "whole frames",
              "frames of any length arrive whole, unchanged, and from whom they come",
              DeliveryChecks::wholeFrames),
          new NicCheck(
              "order and loss",
              "reliable: each frame once, in order; else: once at most, unchanged, and some come",
              DeliveryChecks::orderAndLoss),
          new NicCheck(
              "written in place",
              "what is committed arrives as far as it was committed; what is abandoned leaves no"
                  + " trace",
              SendingChecks::writtenInPlace),
          new NicCheck(
              "memory of the caller",
              "memory of any kind is sent, and what happens to it after its ticket shows nowhere",
              MemoryChecks::memoryOfTheCaller),
          new NicCheck(
              "full",
              "a receiver that does not poll fills a bound, by refusal or counted loss, and no more",
              DeliveryChecks::full),
          new NicCheck(
              "too long and too short",
              "a frame that is too long is refused by name, one of no bytes by exception",
              SendingChecks::tooLongAndTooShort),
          new NicCheck("budget", "poll delivers no more than its budget", ReceivingChecks::budget),
          new NicCheck(
              "claims",
              "claimed bytes stay as they are; claims have a quota, and are undone one by one",
              ClaimChecks::claims),
          new NicCheck(
              "inside a delivery",
              "a receiver may send, may not poll, and when it throws only its frame is lost",
              ReceivingChecks::insideADelivery),
          new NicCheck(
              "broadcast",
              "what is sent to everyone reaches all others once, and not the sender",
              PeerChecks::broadcast),
          new NicCheck(
              "strangers",
              "who was not opened can be answered: by its source, or by its number",
              PeerChecks::strangers),
          new NicCheck(
              "opening and closing",
              "an address has one number; a closed one is refused until it is opened again",
              PeerChecks::openingAndClosing),
          new NicCheck(
              "closing inside a delivery",
              "a receiver may close who sent, or another; the frame stays, the others go on",
              PeerChecks::closingInside),
          new NicCheck(
              "sleep",
              "who armed and found nothing is woken by whatever comes, and by nothing else",
              SleepChecks::sleep),
          new NicCheck(
              "ownership",
              "a buffer given away is the sender's no more, and comes back to its pool",
              OwnershipChecks::ownership),
          new NicCheck(
              "death notice",
              "a peer that goes is reported once and refused; others do not notice",
              PeerChecks::deathNotice),
          new NicCheck(
              "counters",
              "every frame taken was received or lost under a name",
              DeliveryChecks::counters),
          new NicCheck(
              "closed is closed",
              "closing twice is closing once, and nothing works afterwards",
              PeerChecks::closedIsClosed),
          new NicCheck(
              "no allocation",
              "frames are sent and received without an allocation",
              AllocationChecks::noAllocation));

  private NicConformance() {}

  /** All checks; each needs a rig of its own. */
  public static List<NicCheck> checks() {
    return CHECKS;
  }
}
