/**
 * Frames between processes of one host, through memory that they share.
 *
 * <p><b>Owns</b> the segment of this process (a file that others map), a ring to each peer it talks
 * to, and the ways a frame takes: inside the ring, by reference into the sender's pool, by a change
 * of owner, or straight out of the sender's private memory.
 *
 * <p><b>Never</b> locks: every word has one writer, or is changed by one compare-and-swap, so that
 * a process killed at any store leaves nothing locked.
 *
 * <p><b>Threads</b>: one in each process. Of a ring the sender writes slots and the receiver writes
 * the head; the sleep word is set by its owner and rung by others.
 *
 * <p><b>Invariants</b>: a frame's first word is stored last, and until then is zero or of the last
 * lap; the head never passes what was published; what a peer wrote is checked before it is
 * believed.
 *
 * <p><b>Read first</b>: {@code docs/design/006-shared-memory.md}, {@code docs/wire/segment.md},
 * then {@link io.busbar.fabric.shm.ShmNic}.
 */
@NullMarked
package io.busbar.fabric.shm;

import org.jspecify.annotations.NullMarked;
