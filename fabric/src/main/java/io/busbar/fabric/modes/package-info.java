/**
 * Named ways by which data leaves an application's memory and reaches another's (C2 to C16).
 *
 * <p><b>Owns</b> the five ways to send and the four to receive with what each promises, a channel
 * between two processes of one host in which any of them meets any other, and sends over UDP out of
 * the caller's memory.
 *
 * <p><b>Never</b> drops a message, and never refuses one because two ways do not fit: what does not
 * fit is copied. Never locks.
 *
 * <p><b>Threads</b>: one for each end. Of a channel's words the sender writes cells and gives
 * extents; the receiver writes what is done and posted, and gives extents back.
 *
 * <p><b>Invariants</b>: an extent is the sender's or the receiver's, and only the one who has it
 * writes to it or lets it be written; a cell's serial is stored last; tickets are ready once the
 * receiver no longer looks at the memory, or is dead.
 *
 * <p><b>Read first</b>: {@code docs/design/009-transfer-modes.md}, {@link
 * io.busbar.fabric.modes.SendMode}, {@link io.busbar.fabric.modes.ReceiveMode}, then {@link
 * io.busbar.fabric.modes.ModeSender}.
 */
@NullMarked
package io.busbar.fabric.modes;

import org.jspecify.annotations.NullMarked;
