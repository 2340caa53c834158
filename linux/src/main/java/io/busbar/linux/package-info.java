/**
 * The kernel, as seen from Java.
 *
 * <p><b>Owns</b> every system call and every kernel structure; it is the only room that calls
 * restricted methods of {@code java.lang.foreign} and so the only one that is named in {@code
 * --enable-native-access}.
 *
 * <p><b>Never</b> decides anything: no retry of what the caller may want to know (only {@code
 * EINTR} of calls that may simply be repeated), no thread, no clock, no protocol.
 *
 * <p><b>Hot and cold</b>: calls on the data path return a count or a negated {@link Errno} and
 * allocate nothing. All others throw {@link SystemCallException}, which says what could not be
 * done, the call, the errno and what to do about it.
 *
 * <p><b>Threads</b>: objects that own a descriptor may be used by several threads at once, and are
 * closed when none uses them any more. {@link SendBatch}, {@link ReceiveBatch}, {@link PollSet},
 * {@link NativeAddress}, {@link ProcessMemory}, {@link PrivateCopies} and {@link ZeroCopyNotices}
 * hold the arguments of a call, and belong to one thread at a time. The errno is kept per thread.
 *
 * <p><b>Invariants</b>: every descriptor is closed on {@code exec} and does not block; no call is
 * {@code critical}, so no garbage collection ever waits for the kernel; access to a {@link Mapping}
 * after it was unmapped is an exception and not a crash; every number and every layout is compared
 * with the system's C headers by a test.
 *
 * <p><b>Read first</b>: {@link FileDescriptor} and {@link Mapping}; then {@link NativeSocket} and
 * {@link SendBatch}, or {@link Fifo} and {@link PollSet}.
 */
@NullMarked
package io.busbar.linux;

import org.jspecify.annotations.NullMarked;
