/**
 * Fast Messages: a message names the handler that takes it, and the program says when handlers run.
 *
 * <p><b>Owns</b> handlers, what has arrived and waits for them, what was sent inside them and could
 * not leave yet.
 *
 * <p><b>Never</b> starts a thread, nor loses anything in silence: what cannot be delivered is an
 * event. The clock is read for the patience of {@code await} alone.
 *
 * <p><b>Threads</b>: any thread may send and extract. Handlers run one at a time, in the order in
 * which messages came from each node, on the thread that extracts.
 *
 * <p><b>Read first</b>: {@link io.busbar.messages.Messages}, then {@code Inbox}.
 */
@NullMarked
package io.busbar.messages;

import org.jspecify.annotations.NullMarked;
