/**
 * QBUF: buffers that change owner instead of being copied, between threads and between processes.
 *
 * <p><b>Owns</b> pools of zones of 32 blocks, the state word of every block, handles with their
 * generation, and what is left when a process dies.
 *
 * <p><b>Never</b> locks, and never trusts anything but the state words: bitmaps and busy words are
 * hints.
 *
 * <p><b>Threads</b>: any number, in any number of processes; a {@link io.busbar.memory.Pool} object
 * belongs to one thread of one participant, the memory below it to all.
 *
 * <p><b>Invariants</b>: a block is free, or lies under exactly one head that names its owner; an
 * old handle opens nothing; a death before any store leaves nothing that {@code reclaim} does not
 * free.
 *
 * <p><b>Read first</b>: {@code docs/design/004-ownership-after-a-crash.md}, {@link
 * io.busbar.memory.Pool}, {@code BlockWord}.
 */
@NullMarked
package io.busbar.memory;

import org.jspecify.annotations.NullMarked;
