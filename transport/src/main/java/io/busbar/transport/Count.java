package io.busbar.transport;

import io.busbar.wire.Verdict;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a transport counts. Names that begin with DROP are reasons for which a frame did nothing.
 */
public enum Count {
  /** Frames offered to {@code onFrame}. */
  FRAMES_IN,
  /** Frames taken by the sink. */
  FRAMES_OUT,
  /** Bytes of streams delivered upwards. */
  BYTES_DELIVERED,
  /** DATA and FIRST frames sent for the first time. */
  DATA_OUT,
  /** DATA frames sent again. */
  REPAIRS_OUT,
  /** CNTL and ECNTL frames sent. */
  STATUS_OUT,
  /** Repair requests (ECNTL) sent. */
  REQUESTS_OUT,
  /** DIAG frames sent. */
  DIAGS_OUT,
  /** ECHO frames sent, questions and answers. */
  ECHOES_OUT,
  /** Wait timers that ended, each with a status request. */
  TIMEOUTS,
  /** Times a sender stood at the edge of its credit. */
  CREDIT_STALLS,
  /** Frames that came out of order without a loss. */
  REORDERED,
  /** Shorter than a header, or than it announces. */
  DROP_TRUNCATED,
  /** A version not spoken. */
  DROP_VERSION,
  /** A format without a meaning. */
  DROP_FORMAT,
  /** An option bit without a meaning. */
  DROP_OPTIONS,
  /** Node ids that cannot be. */
  DROP_NODES,
  /** Sequence numbers that cannot be. */
  DROP_SEQUENCE,
  /** A block too short, or that contradicts itself. */
  DROP_BLOCK,
  /** Spans that cannot be. */
  DROP_SPANS,
  /** No checksum where one is required. */
  DROP_CRC_MISSING,
  /** A checksum that does not match. */
  DROP_CRC_WRONG,
  /** A seal where none is expected, or none where one is. */
  DROP_SEAL_UNEXPECTED,
  /** A seal that does not open. */
  DROP_SEAL_WRONG,
  /** Addressed to another node. */
  DROP_NOT_FOR_US,
  /** Of another cluster. */
  DROP_WRONG_CLUSTER,
  /** A key that names nothing here. */
  DROP_UNKNOWN_KEY,
  /** The key is ours, but another node uses it. */
  DROP_WRONG_NODE,
  /** Meant for, or sent by, another life. */
  DROP_WRONG_INCARNATION,
  /** Bytes that were here already. */
  DROP_DUPLICATE,
  /** Bytes past the edge that was allowed. */
  DROP_OVER_CREDIT,
  /** The credit budget is spent. */
  DROP_NO_BUDGET,
  /** No chunk is free to keep a frame behind a gap. */
  DROP_NO_STORE,
  /** More gaps than are kept. */
  DROP_TOO_MANY_GAPS,
  /** The stream was closed for reading. */
  DROP_READ_CLOSED,
  /** Bytes past the end that the writer itself had announced. */
  DROP_PAST_END,
  /** A serial below everything remembered. */
  DROP_OLD_SERIAL,
  /** Acknowledges what was never sent. */
  DROP_BAD_ACK,
  /** A diagnosis that fits nothing that is waiting for one. */
  DROP_STRAY_DIAG,
  /** Well formed, and without sense for this association or this room. */
  DROP_UNEXPECTED;

  private static final Map<Verdict, Count> BY_VERDICT = byVerdict();

  /** Where {@link Counters} keeps it: the place of its declaration. */
  final int slot = Slots.next();

  static Count of(Verdict verdict) {
    return BY_VERDICT.getOrDefault(verdict, DROP_UNEXPECTED);
  }

  private static Map<Verdict, Count> byVerdict() {
    Map<Verdict, Count> counts = new EnumMap<>(Verdict.class);
    for (Verdict verdict : Verdict.values()) {
      if (!verdict.ok()) {
        counts.put(verdict, valueOf("DROP_" + verdict.name()));
      }
    }
    return counts;
  }

  private static final class Slots {
    private static int taken;

    static int next() {
      return taken++;
    }
  }
}
