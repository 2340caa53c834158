package io.busbar.transport;

import io.busbar.wire.ControlBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Header;
import io.busbar.wire.Options;
import org.jspecify.annotations.Nullable;

/**
 * How a stream answers: with CNTL, or with ECNTL when gaps have stood long enough to be losses. An
 * answer that may ride on data waits a moment for it.
 */
final class StatusAnswer {
  private StatusAnswer() {}

  /** Sends what is owed, or finds that it rode on data or may still wait; false: carrier full. */
  static boolean give(StreamAssociation a, @Nullable StreamIn in, long nowNs) {
    if (a.opening != null) {
      return true;
    }
    if (!a.needsFullStatus() && in != null) {
      if (in.answerAtNs == Timed.NEVER) {
        return true;
      }
      if (in.answerAtNs > nowNs) {
        a.retime();
        return true;
      }
      in.onNotRidden();
    }
    return send(a, in, nowNs);
  }

  private static boolean send(StreamAssociation a, @Nullable StreamIn in, long nowNs) {
    FrameBuilder frame = a.core().frame;
    int spans = in == null ? 0 : in.ripeSpans(a, nowNs);
    long told = a.tellEdge();
    frame.begin();
    long at = frame.reserve(ControlBlock.BYTES + spans * ControlBlock.SPAN_BYTES);
    ControlBlock.write(
        frame.scratch(),
        at,
        a.rseq,
        told,
        a.localKey,
        a.is(Association.ASKS_STATUS) ? a.sync : 0,
        a.echo,
        in == null ? 0 : heldNs(in, nowNs),
        a.core().config.ackDelayUs(),
        in == null ? a.rseq : in.newest);
    for (int i = 0; in != null && i < spans; i++) {
      ControlBlock.writeSpan(frame.scratch(), at, i, in.spans().from(i), in.spans().to(i));
    }
    int units = (int) Math.min((told - a.rseq) / Header.CREDIT_UNIT_BYTES, 0xFFFF);
    int options =
        a.closeBits()
            | (a.is(Association.ASKS_STATUS) ? Options.SREQ : 0)
            | (a.isOver() ? Options.END : 0);
    int format = spans > 0 ? Format.ECNTL : Format.CNTL;
    if (!a.transmit(format, a.acked, a.rseq, units, options, Count.STATUS_OUT)) {
      return false;
    }
    a.core().counters.add(Count.REQUESTS_OUT, spans > 0 ? 1 : 0);
    a.flags &= ~(Association.ASKS_STATUS | Association.FULL_STATUS);
    if (in != null) {
      in.answerAtNs = Timed.NEVER;
    }
    return true;
  }

  private static int heldNs(StreamIn in, long nowNs) {
    return Math.clamp(nowNs - in.newestNs, 0, Integer.MAX_VALUE);
  }
}
