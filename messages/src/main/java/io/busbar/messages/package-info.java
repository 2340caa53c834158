/**
 * Fast Messages: a message names the handler that takes it, and the program says when handlers run.
 *
 * <p><b>Owns</b> handlers, what has arrived and waits for them, what was sent inside them and could
 * not leave yet; and which nodes and groups of nodes messages go to ({@code Targets}) and come from
 * ({@code Source}).
 *
 * <p><b>Never</b> reads a clock, nor loses anything in silence: what cannot be delivered is an
 * event.
 *
 * <p><b>Threads</b>: any thread may send and extract. Handlers run one at a time and start in the
 * order in which messages from each node began, inside {@code extract}: on the thread that calls
 * it, or, while a message has not arrived, in turns with it on a virtual thread.
 *
 * <p><b>Read first</b>: {@link io.busbar.messages.Messages}; then {@code Sending} and {@code Draft}
 * for the way out, {@code Arrivals} (the driver's) and {@code Extraction} (the extractor's) for the
 * way in.
 */
@NullMarked
package io.busbar.messages;

import org.jspecify.annotations.NullMarked;
