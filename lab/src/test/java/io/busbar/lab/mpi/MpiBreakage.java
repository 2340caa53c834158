package io.busbar.lab.mpi;

import static io.busbar.testkit.Surgery.reads;
import static io.busbar.testkit.Surgery.result;
import static io.busbar.testkit.Surgery.returns;
import static io.busbar.testkit.Surgery.without;

import io.busbar.testkit.Surgery;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.util.List;

/** An MPI that is broken on purpose. Every one must be caught. */
enum MpiBreakage {
  LAST_MESSAGE_INSTEAD_OF_FIRST,
  CREDIT_NOT_GIVEN_BACK,
  CREDIT_WITHOUT_BOUND,
  PAYLOAD_LOST,
  IN_STEP_WITHOUT_WAITING,
  DEATH_NOT_TOLD,
  DEATH_FORGOTTEN,
  SEND_NEVER_OVER,
  END_OVERTAKES_CAST,
  CALLED_BACK_AND_KEPT,
  CALLED_BACK_FROM_NOBODY,
  CHANGED_BEFORE_IT_LEAVES;

  private static final ClassDesc CONTEXT = ClassDesc.of("io.busbar.mpi.Context");
  private static final ClassDesc ARRIVED = ClassDesc.of("io.busbar.mpi.Arrived");

  List<Surgery> surgeries() {
    return switch (this) {
      case LAST_MESSAGE_INSTEAD_OF_FIRST ->
          List.of(
              reads(
                  "mpi.Context",
                  "find",
                  "firstArrived",
                  code -> code.aload(0).getfield(CONTEXT, "lastArrived", ARRIVED)),
              reads(
                  "mpi.Context",
                  "find",
                  "next",
                  code -> code.aload(3).getfield(ARRIVED, "previous", ARRIVED)));
      case CREDIT_NOT_GIVEN_BACK -> List.of(returns("mpi.Mail", "giveCredit", 0));
      case CREDIT_WITHOUT_BOUND -> List.of(returns("mpi.Credit", "spend", 1));
      case PAYLOAD_LOST -> List.of(without("mpi.Receive", "take", "unpackAll"));
      case IN_STEP_WITHOUT_WAITING ->
          List.of(reads("mpi.Outbox", "launch", "sync", CodeBuilder::iconst_0));
      case DEATH_NOT_TOLD -> List.of(returns("mpi.Matching", "fail", 0));
      case DEATH_FORGOTTEN ->
          List.of(result("mpi.Matching", "hopeless", code -> code.pop().aconst_null()));
      case SEND_NEVER_OVER -> List.of(without("mpi.Mail", "onGo", "over"));
      case END_OVERTAKES_CAST ->
          List.of(reads("mpi.Peer", "hasJustFinalised", "byeCasts", CodeBuilder::iconst_0));
      case CALLED_BACK_AND_KEPT -> List.of(without("mpi.Context", "take", "remove"));
      case CHANGED_BEFORE_IT_LEAVES -> List.of(returns("mpi.Mail", "keepApart", 0));
      case CALLED_BACK_FROM_NOBODY -> List.of(returns("mpi.Mail", "onForgotten", 0));
    };
  }
}
