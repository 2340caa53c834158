/**
 * QMP: associations between nodes, reliable and in order where the user asks for it.
 *
 * <p><b>Owns</b> contexts and associations, keys, windows and credits, repair, round trip and
 * congestion of a path, close and dissolve. Organs are small and named after the papers: {@link
 * io.busbar.transport.RoundTrip}, {@code CongestionWindow}, {@code SentFrames}, {@code SendQueue},
 * {@code Spans}, {@code HeldFrames}, {@code FirstSerials}, {@code CreditBudget}.
 *
 * <p><b>Never</b> reads a clock, starts a thread, sleeps, draws a random number of its own, or
 * allocates per frame in steady state. It takes {@code nowNs} and inputs, and yields frames,
 * upcalls and the next deadline.
 *
 * <p><b>Threads</b>: one caller at a time, the holder of the driver's role ({@code
 * docs/design/001-driving.md}). Upcalls run on the caller's stack; they may call back into the
 * transport.
 *
 * <p><b>Invariants</b>: a byte is delivered once, in order, or its buffer is released as
 * undelivered and the association's end says how many; what is held for others never exceeds the
 * credit budget; a frame that fails a check changes nothing but a counter.
 *
 * <p><b>Read first</b>: {@link io.busbar.transport.Transport}, {@link
 * io.busbar.transport.StreamAssociation}; {@code docs/design/002} and {@code 003} say why.
 */
@NullMarked
package io.busbar.transport;

import org.jspecify.annotations.NullMarked;
