/**
 * Frames as UDP datagrams: the carrier that needs no privilege and reaches every host.
 *
 * <p><b>Owns</b> a socket for frames to this interface, one for frames to everyone, and the memory
 * that frames leave from and arrive in. Frames wait in {@code TransmitStage} until the doorbell;
 * runs of equal frames to one peer leave as one segmented datagram, many of them in one call, and
 * glued datagrams arrive the same way.
 *
 * <p><b>Never</b> fragments: a frame has at most the path's MTU, which is learned when a peer is
 * opened, and again when the kernel refuses a frame, or the interface's MTU has changed.
 *
 * <p><b>Threads</b>: one at a time, as every carrier. Nothing here reads a clock; what is looked at
 * now and then is looked at every so many polls.
 *
 * <p><b>Invariants</b>: a staged frame leaves, or is counted as lost by the reason that the kernel
 * gave; a chunk that is claimed is not received into; sending and receiving allocate nothing.
 *
 * <p><b>Read first</b>: {@link io.busbar.fabric.udp.UdpConfig}, then {@link
 * io.busbar.fabric.udp.UdpNic}; {@code Departures} for sending and {@code Inbound} for receiving.
 */
@NullMarked
package io.busbar.fabric.udp;

import org.jspecify.annotations.NullMarked;
