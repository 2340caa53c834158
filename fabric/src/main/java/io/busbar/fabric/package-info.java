/**
 * What moves a frame.
 *
 * <p><b>Owns</b> the contract {@link io.busbar.fabric.Nic} that every carrier keeps, and decorators
 * over any of them (seeded faults, a trace, a capture for Wireshark). A frame is a run of bytes
 * that arrives whole or not at all; what the bytes mean is for the rooms above.
 *
 * <p><b>Never</b> repairs, reorders or acknowledges: a carrier that loses frames says so in its
 * capabilities, and {@code transport} pays for reliability where it is needed.
 *
 * <p><b>Threads</b>: one at a time, the holder of the driver's role. Nothing here starts a thread.
 *
 * <p><b>Invariants</b>: full is a refusal by name and changes nothing; what cannot be delivered is
 * counted by reason; sending and receiving allocate nothing.
 *
 * <p><b>Read first</b>: {@link io.busbar.fabric.Nic}, then {@code docs/design/005-the-nic.md}; for
 * decorators {@link io.busbar.fabric.ForwardingNic}, {@link io.busbar.fabric.FaultyNic}, {@link
 * io.busbar.fabric.TracingNic}, {@link io.busbar.fabric.CapturingNic}.
 */
@NullMarked
package io.busbar.fabric;

import org.jspecify.annotations.NullMarked;
