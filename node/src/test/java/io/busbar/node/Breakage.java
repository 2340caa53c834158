package io.busbar.node;

import static io.busbar.testkit.Surgery.keeps;
import static io.busbar.testkit.Surgery.reads;
import static io.busbar.testkit.Surgery.returns;
import static io.busbar.testkit.Surgery.without;

import io.busbar.testkit.Surgery;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;

/** A {@link Driving} or a {@link Caretaker} that leaves out a step. Each must be caught. */
enum Breakage {
  ROLE_IS_SEEN_FREE_THEN_TAKEN,
  WANTER_DOES_NOT_RING,
  WANTER_IS_NOT_IN_THE_LIST,
  WANTER_STAYS_IN_THE_LIST,
  WANT_IS_NOT_TAKEN_BACK,
  WANT_IS_NOT_SAID,
  SLEEPER_DOES_NOT_SAY_SO,
  SLEEPER_DOES_NOT_SEE_WHO_WANTS,
  SLEEPER_DOES_NOT_SEE_WHAT_WAS_DONE,
  SLEEPER_DOES_NOT_SEE_WHAT_HAS_COME,
  SLEEPER_DOES_NOT_KNOW_WHAT_IS_DUE,
  SLEEPER_STAYS_ARMED,
  DRIVER_KEEPS_THE_ROLE,
  DRIVER_DOES_NOT_GIVE_WAY,
  DRIVER_DOES_NOT_TELL,
  TELLER_DOES_NOT_RING,
  TELLER_TELLS_NO_FOLLOWER,
  RELEASE_TELLS_NOBODY,
  RELEASE_TELLS_ONE_WHO_DOES_NOT_WANT,
  RELEASE_DOES_NOT_CALL_WHO_IS_AWAY,
  RELEASE_GIVES_BACK_WHAT_WAS_TAKEN_AGAIN,
  RELEASE_DOES_NOT_COUNT,
  DRIVER_WHO_LOOKS_IS_NOT_KNOWN,
  LEAVER_DOES_NOT_HAND_ON,
  FOLLOWER_DOES_NOT_LOOK_AT_THE_ROLE,
  FOLLOWER_DOES_NOT_LOOK_AGAIN,
  FOLLOWER_STAYS_IN_THE_LIST,
  FOLLOWER_TRUSTS_HIMSELF,
  FOLLOWER_FORGETS_WHAT_HE_WAS_TOLD,
  VIRTUAL_CALLS_NOBODY,
  CARETAKER_DOES_NOT_GIVE_WAY,
  CARETAKER_IS_UNKNOWN,
  CARETAKER_GOES_AWAY_WITHOUT_A_LOOK,
  CARETAKER_GOES_AWAY_WHEN_IT_SHOULD_END,
  WATCHER_KEEPS_THE_ROLE,
  WATCHER_DOES_NOT_SAY_SO,
  WATCHER_DOES_NOT_SEE_WHAT_HAS_COME,
  WATCHER_TAKES_WHAT_ANOTHER_HAS,
  WATCH_IS_NOT_CALLED_OFF,
  WATCH_STAYS_ARMED,
  WATCHER_DOES_NOT_END_HIS_WATCH,
  RELEASE_DOES_NOT_LOOK_AT_WHAT_IS_DUE,
  DRIVER_LETS_ANOTHER_WATCH;

  private static final String DRIVING = "node.Driving";

  /** What is done to the class. */
  Surgery surgery() {
    return switch (this) {
      case ROLE_IS_SEEN_FREE_THEN_TAKEN ->
          without(DRIVING, "tryTake", "compareAndSet", Breakage::takeRole);
      case WANTER_DOES_NOT_RING -> without(DRIVING, "want", "ring");
      case WANTER_IS_NOT_IN_THE_LIST ->
          without(DRIVING, "takeFromAnother", "add", CodeBuilder::iconst_1);
      case WANTER_STAYS_IN_THE_LIST ->
          without(DRIVING, "takeFromAnother", "remove", CodeBuilder::iconst_1);
      case WANT_IS_NOT_TAKEN_BACK ->
          without(DRIVING, "takeFromAnother", "getAndAdd", CodeBuilder::iconst_0);
      case WANT_IS_NOT_SAID -> without(DRIVING, "takeFromAnother", "want");
      case SLEEPER_DOES_NOT_SAY_SO -> keeps(DRIVING, "sleep", "sleeping");
      case SLEEPER_DOES_NOT_SEE_WHO_WANTS ->
          reads(DRIVING, "sleep", "wanted", CodeBuilder::iconst_0);
      case SLEEPER_DOES_NOT_SEE_WHAT_WAS_DONE ->
          without(DRIVING, "sleep", "getAsBoolean", CodeBuilder::iconst_0);
      case SLEEPER_DOES_NOT_SEE_WHAT_HAS_COME ->
          without(DRIVING, "sleep", "arm", CodeBuilder::iconst_1);
      case SLEEPER_DOES_NOT_KNOW_WHAT_IS_DUE ->
          without(DRIVING, "sleep", "dueInNs", code -> code.loadConstant(Machine.NEVER));
      case SLEEPER_STAYS_ARMED -> without(DRIVING, "sleep", "disarm");
      case DRIVER_KEEPS_THE_ROLE -> without(DRIVING, "driveAndRelease", "release");
      case DRIVER_DOES_NOT_GIVE_WAY -> reads(DRIVING, "drive", "wanted", CodeBuilder::iconst_0);
      case DRIVER_DOES_NOT_TELL -> without(DRIVING, "work", "tell");
      case TELLER_DOES_NOT_RING -> without(DRIVING, "tell", "ring");
      case TELLER_TELLS_NO_FOLLOWER -> without(DRIVING, "tell", "tell");
      case RELEASE_TELLS_NOBODY -> without(DRIVING, "release", "tellAboutFreeRole");
      case RELEASE_TELLS_ONE_WHO_DOES_NOT_WANT ->
          reads(DRIVING, "tellAboutFreeRole", "wanted", CodeBuilder::iconst_0);
      case RELEASE_DOES_NOT_CALL_WHO_IS_AWAY ->
          reads(DRIVING, "release", "caretakerAway", CodeBuilder::iconst_0);
      case RELEASE_GIVES_BACK_WHAT_WAS_TAKEN_AGAIN ->
          reads(DRIVING, "release", "takenAgain", CodeBuilder::iconst_0);
      case RELEASE_DOES_NOT_COUNT -> keeps(DRIVING, "release", "takenAgain");
      case DRIVER_WHO_LOOKS_IS_NOT_KNOWN -> returns(DRIVING, "takeAgain", 0);
      case LEAVER_DOES_NOT_HAND_ON -> without(DRIVING, "await", "tellAboutFreeRole");
      case FOLLOWER_DOES_NOT_LOOK_AT_THE_ROLE ->
          without(DRIVING, "mayDrive", "role", CodeBuilder::iconst_1);
      case FOLLOWER_DOES_NOT_LOOK_AGAIN ->
          without(DRIVING, "follow", "getAsBoolean", CodeBuilder::iconst_0);
      case FOLLOWER_STAYS_IN_THE_LIST ->
          without(DRIVING, "follow", "remove", CodeBuilder::iconst_1);
      case FOLLOWER_TRUSTS_HIMSELF -> reads(DRIVING, "mayDrive", "wanted", CodeBuilder::iconst_1);
      case FOLLOWER_FORGETS_WHAT_HE_WAS_TOLD ->
          without(DRIVING, "park", "wasTold", CodeBuilder::iconst_0);
      case VIRTUAL_CALLS_NOBODY -> without(DRIVING, "follow", "callCaretaker");
      case CARETAKER_DOES_NOT_GIVE_WAY ->
          reads(DRIVING, "careFor", "wanted", CodeBuilder::iconst_0);
      case CARETAKER_IS_UNKNOWN -> returns(DRIVING, "becomeCaretaker", 0);
      case CARETAKER_GOES_AWAY_WITHOUT_A_LOOK ->
          without(DRIVING, "restWhileDriverSleeps", "role", CodeBuilder::iconst_1);
      case CARETAKER_GOES_AWAY_WHEN_IT_SHOULD_END ->
          without(DRIVING, "restWhileDriverSleeps", "getAsBoolean", CodeBuilder::iconst_0);
      case WATCHER_KEEPS_THE_ROLE -> without(DRIVING, "watch", "release");
      case WATCHER_DOES_NOT_SAY_SO -> keeps(DRIVING, "watch", "watched");
      case WATCHER_DOES_NOT_SEE_WHAT_HAS_COME ->
          without(DRIVING, "watch", "armWatch", CodeBuilder::iconst_1);
      case WATCHER_TAKES_WHAT_ANOTHER_HAS ->
          without(DRIVING, "watch", "tryTake", CodeBuilder::iconst_1);
      case WATCHER_DOES_NOT_END_HIS_WATCH -> without(DRIVING, "watch", "endWatch");
      case WATCH_IS_NOT_CALLED_OFF -> without(DRIVING, "releaseWatch", "wakeWithin");
      case WATCH_STAYS_ARMED -> without(DRIVING, "endWatch", "disarm");
      case RELEASE_DOES_NOT_LOOK_AT_WHAT_IS_DUE -> without(DRIVING, "releaseWatch", "shortenWatch");
      case DRIVER_LETS_ANOTHER_WATCH -> without(DRIVING, "drive", "endWatch");
    };
  }

  /** {@code word = as}, and true. */
  private static void takeRole(CodeBuilder code) {
    code.aload(0)
        .iload(1)
        .putfield(ClassDesc.of("io.busbar.node", "Driving"), "word", ConstantDescs.CD_int)
        .iconst_1();
  }
}
