/**
 * QBUF: buffers that change owner instead of being copied, between threads and between processes.
 *
 * <p><b>Owns</b> pools of zones of 32 blocks, the state word of every block, handles with their
 * generation, the numbers of those who share a pool, what is left when one of them dies; and memory
 * that is reserved, populated and pinned before it is used; and page exchange: extents of a file
 * whose pages are shown privately to both who sent them and who received them.
 *
 * <p><b>Never</b> locks, and never trusts anything but the state words: bitmaps and busy words are
 * hints. A state word that makes no sense is trusted as little: its block stays out of use.
 *
 * <p><b>Threads</b>: any number, in any number of processes; a {@link io.busbar.memory.Pool} object
 * belongs to one thread of one participant, the memory below it to all. {@link
 * io.busbar.memory.Participants} and {@link io.busbar.memory.ResidentMemory} serve any thread.
 *
 * <p><b>Invariants</b>: a block is free, or lies under exactly one head that names its owner, or
 * nobody while its buffer rests; an old handle opens nothing; a death before any store leaves
 * nothing that {@code reclaim} does not free; a participant is dead when its lock can be taken, and
 * stays so while it is held; memory that was made can be touched.
 *
 * <p><b>Read first</b>: {@code docs/design/004-ownership-after-a-crash.md}, {@link
 * io.busbar.memory.Pool}, {@code BlockWord}; then {@link io.busbar.memory.Participants} and {@link
 * io.busbar.memory.ResidentMemory}; {@code docs/design/009-transfer-modes.md} and {@link
 * io.busbar.memory.SendPages}.
 */
@NullMarked
package io.busbar.memory;

import org.jspecify.annotations.NullMarked;
