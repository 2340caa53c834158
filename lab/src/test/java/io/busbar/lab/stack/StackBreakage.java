package io.busbar.lab.stack;

import static io.busbar.testkit.Surgery.reads;
import static io.busbar.testkit.Surgery.returns;
import static io.busbar.testkit.Surgery.without;

import io.busbar.testkit.Surgery;
import java.lang.classfile.CodeBuilder;
import java.util.List;

/** A stack that is broken on purpose above the transport. Every one must be caught. */
enum StackBreakage {
  LATER_MESSAGE_OVERTAKES_DEFERRED,
  DEFERRED_WITHOUT_BOUND,
  DEFERRED_FORGOTTEN,
  HANDLER_WAITS,
  BLOCKED_SENDER_TAKES_NOTHING,
  ROOM_NOT_GIVEN_BACK,
  PARKED_WITHOUT_BOUND,
  LANE_NEVER_ENDS,
  NOBODY_TOLD_WHO_IS_GONE,
  UNDELIVERED_NOT_REPORTED,
  FAILED_HANDLER_NOT_REPORTED,
  UNKNOWN_HANDLER_NOT_REPORTED,
  LATER_MESSAGE_OVERTAKES_START,
  LONG_MESSAGE_IN_THE_WAY,
  BODY_ROOM_NOT_GIVEN_BACK,
  CHANNEL_NEVER_FREE,
  UNWANTED_THOUGH_WANTED,
  BROKEN_BODY_NOT_TOLD,
  BROKEN_HANDLER_NOT_REPORTED,
  REST_OF_BODY_KEPT,
  RESUME_FORGOTTEN,
  STAGE_NOT_GIVEN_BACK,
  CLAIM_NOT_GIVEN_BACK;

  List<Surgery> surgeries() {
    return switch (this) {
      case LATER_MESSAGE_OVERTAKES_DEFERRED ->
          List.of(
              without("messages.Outgoing", "trySend", "startBefore", CodeBuilder::iconst_1),
              returns("messages.Line", "sendKept", 0));
      case DEFERRED_WITHOUT_BOUND ->
          List.of(reads("messages.Deferred", "check", "bytes", CodeBuilder::lconst_0));
      case DEFERRED_FORGOTTEN -> List.of(returns("messages.Outgoing", "defer", 0));
      case HANDLER_WAITS -> List.of(returns("messages.Sending", "defer", 0));
      case BLOCKED_SENDER_TAKES_NOTHING ->
          List.of(without("messages.Sending", "awaitRoom", "extractWhileWaiting"));
      case ROOM_NOT_GIVEN_BACK -> List.of(returns("node.QmpLane", "done", 0));
      case PARKED_WITHOUT_BOUND ->
          List.of(
              reads(
                  "node.QmpStream",
                  "tell",
                  "parkedBytesMax",
                  code -> code.loadConstant(Long.MAX_VALUE >>> 1)));
      case LANE_NEVER_ENDS -> List.of(returns("node.Engine", "end", 0));
      case NOBODY_TOLD_WHO_IS_GONE -> List.of(without("messages.Telling", "tell", "accept"));
      case UNDELIVERED_NOT_REPORTED -> List.of(returns("messages.Outgoing", "unsettledBytes", 0));
      case FAILED_HANDLER_NOT_REPORTED ->
          List.of(without("messages.Extraction", "startWhole", "tellFailed"));
      case UNKNOWN_HANDLER_NOT_REPORTED ->
          List.of(without("messages.Extraction", "startWhole", "tell"));
      case LATER_MESSAGE_OVERTAKES_START -> List.of(returns("messages.Line", "startBefore", 1));
      case LONG_MESSAGE_IN_THE_WAY ->
          List.of(
              returns("messages.Draft", "needsChannel", 0),
              returns("messages.Line", "giveUpPlace", 0));
      case BODY_ROOM_NOT_GIVEN_BACK -> List.of(returns("node.QmpLane", "bodyDone", 0));
      case CHANNEL_NEVER_FREE -> List.of(returns("node.QmpLane", "endBody", 0));
      case UNWANTED_THOUGH_WANTED ->
          List.of(without("node.Lane", "trySendBody", "isUnwanted", CodeBuilder::iconst_1));
      case BROKEN_BODY_NOT_TOLD -> List.of(returns("messages.Body", "onBroken", 0));
      case BROKEN_HANDLER_NOT_REPORTED -> List.of(returns("messages.Extraction", "fail", 0));
      case REST_OF_BODY_KEPT -> List.of(returns("messages.Arrivals", "end", 0));
      case RESUME_FORGOTTEN -> List.of(returns("messages.InMessage", "resume", 0));
      case STAGE_NOT_GIVEN_BACK -> List.of(returns("messages.Outgoing", "giveBack", 0));
      case CLAIM_NOT_GIVEN_BACK -> List.of(returns("node.QmpLane", "release", 0));
    };
  }
}
