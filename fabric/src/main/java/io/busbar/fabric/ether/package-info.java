/**
 * The carrier over raw Ethernet: frames of EtherType 0x88B5, with Busbar's header right behind the
 * Ethernet header, and no IP.
 *
 * <p><b>Owns</b> two ways to an interface. {@code packet}: a packet socket whose frames arrive in a
 * ring that is mapped here, and leave by batched calls. {@code xdp}: an AF_XDP socket at one queue,
 * which a program of our own gives the frames that are ours; what arrives elsewhere, and all that
 * is for everyone, comes by a packet socket beside it.
 *
 * <p><b>Promises</b> that frames arrive whole or not at all. They may be padded at their end, be
 * lost, be repeated by a bridge; who sent them is who they say, as far as the hardware address
 * agrees.
 *
 * <p><b>Never</b> hears what other processes on the interface are sent: the kernel looks at the
 * node id, and at the life that a key belongs to. Never attaches a program unasked, nor where there
 * is one.
 *
 * <p><b>Threads</b>: one at a time, the holder of the driver's role.
 *
 * <p><b>Read first</b>: {@code docs/design/008-raw-ethernet.md}, then {@link
 * io.busbar.fabric.ether.EtherNic}.
 */
@NullMarked
package io.busbar.fabric.ether;

import org.jspecify.annotations.NullMarked;
