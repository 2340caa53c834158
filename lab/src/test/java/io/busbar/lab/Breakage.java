package io.busbar.lab;

import static io.busbar.testkit.Surgery.first;
import static io.busbar.testkit.Surgery.reads;
import static io.busbar.testkit.Surgery.result;
import static io.busbar.testkit.Surgery.returns;
import static io.busbar.testkit.Surgery.without;
import static java.lang.constant.ConstantDescs.CD_long;

import io.busbar.testkit.Surgery;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/** A transport that is broken on purpose. Every one must be caught by a checker of the lab. */
enum Breakage {
  LOST_FRAME_NOT_REPAIRED,
  DUPLICATE_DELIVERED,
  DATAGRAM_DELIVERED_TWICE,
  FIRST_DELIVERED_TWICE,
  GAP_SKIPPED,
  END_OF_MESSAGE_LOST,
  CHECKSUM_NOT_COMPARED,
  CREDIT_IGNORED,
  EDGE_NOT_KEPT,
  OLD_CREDIT_BELIEVED,
  CREDIT_TAKEN_BACK,
  CREDIT_LEAKED,
  CHUNK_LEAKED,
  CLAIM_LEAKED,
  CLAIM_FORGOTTEN,
  KEY_USED_AGAIN_AT_ONCE,
  FIRST_FOR_ANOTHER_LIFE_TAKEN,
  NEW_LIFE_BELIEVED,
  NEW_LIFE_IGNORED,
  BUFFER_RELEASED_EARLY,
  UNDELIVERED_CALLED_DELIVERED,
  UNDELIVERED_NOT_REPORTED,
  ACKNOWLEDGED_PAST_A_GAP,
  WRITE_ENDED_EARLY,
  NO_WAIT_TIMER,
  NO_BACKOFF,
  SILENCE_FOUND_TOO_SOON,
  ROOM_NOT_ANNOUNCED,
  OPENING_NOT_ANNOUNCED,
  READ_END_NOT_ANNOUNCED,
  WRITE_END_NOT_ANNOUNCED,
  END_NOT_ANNOUNCED,
  RESTART_NOT_ANNOUNCED;

  private static final ClassDesc MATH = ClassDesc.of("java.lang.Math");
  private static final ClassDesc STREAM = transport("StreamAssociation");
  private static final MethodTypeDesc TWO_LONGS = MethodTypeDesc.of(CD_long, CD_long, CD_long);

  /** What is done to the classes. */
  List<Surgery> surgeries() {
    return switch (this) {
      case LOST_FRAME_NOT_REPAIRED -> List.of(returns("transport.SentFrames", "giveUp", 0));
      case DUPLICATE_DELIVERED ->
          List.of(first("transport.StreamIn", "onBytes", Breakage::rewindToFrame));
      case DATAGRAM_DELIVERED_TWICE ->
          List.of(returns("transport.DatagramAssociation", "isDouble", 0));
      case FIRST_DELIVERED_TWICE -> List.of(returns("transport.FirstSerials", "isUsed", 0));
      case GAP_SKIPPED -> List.of(first("transport.StreamIn", "behindGap", Breakage::skipGap));
      case END_OF_MESSAGE_LOST -> List.of(returns("transport.SendQueue", "messageEnded", 0));
      case CHECKSUM_NOT_COMPARED -> List.of(returns("wire.Crc32c", "finish", 0));
      case CREDIT_IGNORED -> List.of(returns("transport.StreamOut", "edge", Long.MAX_VALUE));
      case EDGE_NOT_KEPT ->
          List.of(
              result("transport.StreamIn", "tellEdge", code -> code.loadConstant(1L << 20).ladd()),
              reads(
                  "transport.StreamIn",
                  "onBytes",
                  "edge",
                  code -> code.loadConstant(Long.MAX_VALUE)));
      case OLD_CREDIT_BELIEVED ->
          List.of(returns("transport.StreamAssociation", "hasCreditExpired", 0));
      case CREDIT_TAKEN_BACK ->
          List.of(
              first("transport.CreditBudget", "shrink", code -> code.lconst_0().lstore(2)),
              without("transport.CreditBudget", "shrink", "isScarce", CodeBuilder::iconst_1),
              without("transport.CreditBudget", "shrink", "shareBytes", CodeBuilder::lconst_0));
      case CREDIT_LEAKED -> List.of(returns("transport.CreditBudget", "leave", 0));
      case CHUNK_LEAKED -> List.of(without("transport.StreamIn", "release", "giveBack"));
      case CLAIM_LEAKED -> List.of(without("transport.StreamIn", "release", "release"));
      case CLAIM_FORGOTTEN ->
          List.of(
              without("transport.StreamIn", "keep", "claim", CodeBuilder::iconst_1),
              without("transport.StreamIn", "release", "release"));
      case KEY_USED_AGAIN_AT_ONCE ->
          List.of(
              first("wire.Key", "of", code -> code.iconst_0().istore(1)),
              first("transport.Farewell", "onAnswered", code -> code.lconst_0().lstore(3)));
      case FIRST_FOR_ANOTHER_LIFE_TAKEN ->
          List.of(without("transport.Reception", "onFirst", "destIncarnation", Breakage::ownLife));
      case NEW_LIFE_BELIEVED -> List.of(first("transport.Lives", "learn", Breakage::believe));
      case NEW_LIFE_IGNORED -> List.of(returns("transport.Lives", "learn", 1));
      case BUFFER_RELEASED_EARLY ->
          List.of(first("transport.SendQueue", "release", Breakage::releaseMore));
      case UNDELIVERED_CALLED_DELIVERED ->
          List.of(reads("transport.StreamOut", "end", "UNDELIVERED", Breakage::delivered));
      case UNDELIVERED_NOT_REPORTED ->
          List.of(
              result("transport.StreamAssociation", "dropState", code -> code.pop2().lconst_0()));
      case ACKNOWLEDGED_PAST_A_GAP ->
          List.of(first("wire.ControlBlock", "write", Breakage::acknowledgeNewest));
      case WRITE_ENDED_EARLY -> List.of(returns("transport.StreamOut", "isEndAcked", 1));
      case NO_WAIT_TIMER -> List.of(returns("transport.StatusTimer", "restart", 0));
      case NO_BACKOFF ->
          List.of(reads("transport.StatusTimer", "restart", "fruitless", CodeBuilder::iconst_0));
      case SILENCE_FOUND_TOO_SOON ->
          List.of(without("transport.StreamOut", "onWait", "silenceNs", CodeBuilder::lconst_0));
      case ROOM_NOT_ANNOUNCED -> List.of(without("transport.StreamOut", "onAcked", "onSendable"));
      case OPENING_NOT_ANNOUNCED ->
          List.of(without("transport.Association", "noteAnswer", "onOpened"));
      case READ_END_NOT_ANNOUNCED ->
          List.of(without("transport.StreamAssociation", "onReadEnd", "onReadEnd"));
      case WRITE_END_NOT_ANNOUNCED ->
          List.of(without("transport.StreamAssociation", "endWrite", "onWriteEnd"));
      case END_NOT_ANNOUNCED -> List.of(without("transport.Association", "end", "onEnded"));
      case RESTART_NOT_ANNOUNCED ->
          List.of(without("transport.Lives", "onConfirm", "onPeerRestarted"));
    };
  }

  private static ClassDesc transport(String name) {
    return ClassDesc.of("io.busbar.transport", name);
  }

  /** {@code a.rseq = min(a.rseq, view.seq())}. */
  private static void rewindToFrame(CodeBuilder code) {
    code.aload(1)
        .dup()
        .getfield(STREAM, "rseq", CD_long)
        .aload(2)
        .invokevirtual(
            ClassDesc.of("io.busbar.wire", "FrameView"), "seq", MethodTypeDesc.of(CD_long))
        .invokestatic(MATH, "min", TWO_LONGS)
        .putfield(STREAM, "rseq", CD_long);
  }

  /** {@code a.rseq = first}. */
  private static void skipGap(CodeBuilder code) {
    code.aload(1).lload(3).putfield(STREAM, "rseq", CD_long);
  }

  /** {@code upTo = max(upTo, upTo + 2000)}. */
  private static void releaseMore(CodeBuilder code) {
    code.lload(1)
        .lload(1)
        .loadConstant(2000L)
        .ladd()
        .invokestatic(MATH, "max", TWO_LONGS)
        .lstore(1);
  }

  private static void delivered(CodeBuilder code) {
    code.getstatic(transport("Release"), "DELIVERED", transport("Release"));
  }

  /** {@code rseq = max(rseq, newest)}. */
  private static void acknowledgeNewest(CodeBuilder code) {
    code.lload(3).lload(13).invokestatic(MATH, "max", TWO_LONGS).lstore(3);
  }

  /** {@code core.config.incarnation()}. */
  private static void ownLife(CodeBuilder code) {
    code.aload(0)
        .getfield(transport("Reception"), "core", transport("Core"))
        .getfield(transport("Core"), "config", transport("TransportConfig"))
        .invokevirtual(transport("TransportConfig"), "incarnation", MethodTypeDesc.of(CD_long));
  }

  /** {@code path.incarnation = life}. */
  private static void believe(CodeBuilder code) {
    code.aload(1).lload(2).putfield(transport("Path"), "incarnation", CD_long);
  }
}
