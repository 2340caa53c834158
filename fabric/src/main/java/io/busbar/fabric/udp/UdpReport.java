package io.busbar.fabric.udp;

/**
 * What an interface was given by the system, beside what it wanted.
 *
 * @param address where others reach it
 * @param device the interface that has this address; empty when none is known
 * @param mtuBytes the interface's MTU; 0 when it is not known
 * @param receiveBytesWanted bytes of the receive buffer that were asked for
 * @param receiveBytes bytes that it has
 * @param receiveBytesLimit net.core.rmem_max; 0 when it cannot be read
 * @param sendBytesWanted bytes of the send buffer that were asked for
 * @param sendBytes bytes that it has
 * @param sendBytesLimit net.core.wmem_max; 0 when it cannot be read
 * @param gso whether runs of frames leave as one datagram that the kernel cuts
 * @param gro whether datagrams may arrive glued together
 * @param shortcuts peers that have a connected socket of their own
 */
public record UdpReport(
    UdpAddress address,
    String device,
    int mtuBytes,
    int receiveBytesWanted,
    int receiveBytes,
    int receiveBytesLimit,
    int sendBytesWanted,
    int sendBytes,
    int sendBytesLimit,
    boolean gso,
    boolean gro,
    int shortcuts) {}
