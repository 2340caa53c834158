/**
 * The bytes on the wire.
 *
 * <p><b>Owns</b> the frame header, the blocks of FIRST, CNTL, ECNTL and DIAG and of the bus ({@link
 * BusBlock}, {@link MemberRecord}, {@link MemberCard}, {@link CastBlock}), the records inside
 * frames, keys, incarnations, the checksum, and the place of the seal; and the words that processes
 * of one host share ({@link SharedSegment}, {@link RingSlot}). {@code docs/wire/} draws each of
 * them, and a test compares the drawings with the constants here.
 *
 * <p><b>Never</b> reads a clock, starts a thread, draws a random number, or keeps a frame.
 *
 * <p><b>Threads</b>: none of the types is safe for sharing; a {@link FrameView} and a {@link
 * FrameBuilder} belong to the one thread that drives.
 *
 * <p><b>Invariants</b>: what {@link FrameView#wrap} accepted can be read without a further check;
 * all integers are little-endian; a frame's layouts are unaligned, because frames start at odd
 * places, and a segment's words are aligned, because processes change them at once.
 *
 * <p><b>Read first</b>: {@link Header}, then {@link FrameView}; {@link FrameBuilder} is the way
 * out.
 */
@NullMarked
package io.busbar.wire;

import org.jspecify.annotations.NullMarked;
