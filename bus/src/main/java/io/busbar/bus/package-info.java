/**
 * Who is there and who has gone, and one message to all of them.
 *
 * <p><b>Owns</b> ids, records and views: what is known of all nodes ({@code Roster}), how an id is
 * claimed and a node announced ({@code Announcer}), how who is missing is found out ({@code
 * Detector}), and how what was missed is mended ({@code Exchange}); and broadcast streams: those
 * that are sent ({@link io.busbar.bus.CastOut}) and read ({@link io.busbar.bus.CastIn}).
 *
 * <p><b>Never</b> reads a clock, starts a thread, or draws a random number of its own. It takes
 * {@code nowNs} and frames, and yields frames, events and the next deadline.
 *
 * <p><b>Threads</b>: one caller at a time. Events run on the caller's stack, and do not call back.
 *
 * <p><b>Invariants</b>: a frame that fails a check changes nothing but a counter; nobody but a node
 * itself raises its edition; as many nodes are kept as the configuration says, and no more.
 *
 * <p><b>Read first</b>: {@link io.busbar.bus.Membership}, then {@code Core}, and {@link
 * io.busbar.bus.Casting}; {@code docs/design/011-membership.md} and {@code 012-broadcast.md} say
 * why it is so, {@code docs/wire/bus.md} draws the frames.
 */
@NullMarked
package io.busbar.bus;

import org.jspecify.annotations.NullMarked;
