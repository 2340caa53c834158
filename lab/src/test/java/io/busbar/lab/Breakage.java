package io.busbar.lab;

import static io.busbar.lab.Surgery.first;
import static io.busbar.lab.Surgery.reads;
import static io.busbar.lab.Surgery.result;
import static io.busbar.lab.Surgery.returns;
import static io.busbar.lab.Surgery.without;
import static java.lang.constant.ConstantDescs.CD_long;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/** A transport that is broken on purpose. Every one must be caught by a checker of the lab. */
@SuppressWarnings("ImmutableEnumChecker") // nothing changes what it holds
enum Breakage {
  LOST_FRAME_NOT_REPAIRED(returns("transport.SentFrames", "giveUp", 0)),
  DUPLICATE_DELIVERED(first("transport.StreamIn", "onBytes", Breakage::rewindToFrame)),
  DATAGRAM_DELIVERED_TWICE(returns("transport.DatagramAssociation", "isDouble", 0)),
  FIRST_DELIVERED_TWICE(returns("transport.FirstSerials", "isUsed", 0)),
  GAP_SKIPPED(first("transport.StreamIn", "behindGap", Breakage::skipGap)),
  END_OF_MESSAGE_LOST(returns("transport.SendQueue", "messageEnded", 0)),
  CHECKSUM_NOT_COMPARED(returns("wire.Crc32c", "finish", 0)),

  CREDIT_IGNORED(returns("transport.StreamOut", "edge", Long.MAX_VALUE)),
  EDGE_NOT_KEPT(
      result("transport.StreamIn", "tellEdge", code -> code.loadConstant(1L << 20).ladd()),
      reads("transport.StreamIn", "onBytes", "edge", code -> code.loadConstant(Long.MAX_VALUE))),
  OLD_CREDIT_BELIEVED(returns("transport.StreamAssociation", "hasCreditExpired", 0)),
  CREDIT_TAKEN_BACK(
      first("transport.CreditBudget", "shrink", code -> code.lconst_0().lstore(2)),
      without("transport.CreditBudget", "shrink", "isScarce", CodeBuilder::iconst_1),
      without("transport.CreditBudget", "shrink", "shareBytes", CodeBuilder::lconst_0)),
  CREDIT_LEAKED(returns("transport.CreditBudget", "leave", 0)),
  CHUNK_LEAKED(without("transport.StreamIn", "release", "giveBack")),
  CLAIM_LEAKED(without("transport.StreamIn", "release", "release")),
  CLAIM_FORGOTTEN(
      without("transport.StreamIn", "keep", "claim", CodeBuilder::iconst_1),
      without("transport.StreamIn", "release", "release")),

  KEY_USED_AGAIN_AT_ONCE(
      first("wire.Key", "of", code -> code.iconst_0().istore(1)),
      first("transport.Farewell", "onAnswered", code -> code.lconst_0().lstore(3))),
  FIRST_FOR_ANOTHER_LIFE_TAKEN(
      without("transport.Reception", "onFirst", "destIncarnation", Breakage::ownLife)),
  NEW_LIFE_BELIEVED(first("transport.Lives", "learn", Breakage::believe)),
  NEW_LIFE_IGNORED(returns("transport.Lives", "learn", 1)),

  BUFFER_RELEASED_EARLY(first("transport.SendQueue", "release", Breakage::releaseMore)),
  UNDELIVERED_CALLED_DELIVERED(
      reads("transport.StreamOut", "end", "UNDELIVERED", Breakage::delivered)),
  UNDELIVERED_NOT_REPORTED(
      result("transport.StreamAssociation", "dropState", code -> code.pop2().lconst_0())),
  ACKNOWLEDGED_PAST_A_GAP(first("wire.ControlBlock", "write", Breakage::acknowledgeNewest)),
  WRITE_ENDED_EARLY(returns("transport.StreamOut", "isEndAcked", 1)),

  NO_WAIT_TIMER(returns("transport.StatusTimer", "restart", 0)),
  NO_BACKOFF(reads("transport.StatusTimer", "restart", "fruitless", CodeBuilder::iconst_0)),
  SILENCE_FOUND_TOO_SOON(
      without("transport.StreamOut", "onWait", "silenceNs", CodeBuilder::lconst_0)),
  ROOM_NOT_ANNOUNCED(without("transport.StreamOut", "onAcked", "onSendable")),
  OPENING_NOT_ANNOUNCED(without("transport.Association", "noteAnswer", "onOpened")),
  READ_END_NOT_ANNOUNCED(without("transport.StreamAssociation", "onReadEnd", "onReadEnd")),
  WRITE_END_NOT_ANNOUNCED(without("transport.StreamAssociation", "endWrite", "onWriteEnd")),
  END_NOT_ANNOUNCED(without("transport.Association", "end", "onEnded")),
  RESTART_NOT_ANNOUNCED(without("transport.Lives", "onConfirm", "onPeerRestarted"));

  private static final ClassDesc MATH = ClassDesc.of("java.lang.Math");
  private static final ClassDesc STREAM = transport("StreamAssociation");
  private static final MethodTypeDesc TWO_LONGS = MethodTypeDesc.of(CD_long, CD_long, CD_long);

  private final List<Surgery> surgeries;

  Breakage(Surgery... surgeries) {
    this.surgeries = List.of(surgeries);
  }

  List<Surgery> surgeries() {
    return surgeries;
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
