package io.busbar.fabric.ether;

import io.busbar.wire.Header;

/**
 * How an interface on Ethernet is opened.
 *
 * @param device its name, {@code eth0}
 * @param node this node's id: frames for others are not heard
 * @param incarnation this node's life: frames with a key of another life are not heard; 0 hears
 *     them
 * @param transmitFrames frames that wait for the doorbell at most
 * @param receiveFrames frames that wait to be polled at most; a power of two
 * @param claimsMax frames that are kept at most, where they can be
 * @param peersMax peers that are open at one time
 * @param program where a program is attached that gives frames to an AF_XDP socket
 * @param queue the queue of the interface that it takes
 */
public record EtherConfig(
    String device,
    int node,
    long incarnation,
    int transmitFrames,
    int receiveFrames,
    int claimsMax,
    int peersMax,
    Program program,
    int queue) {
  /** Where a program stands. */
  public enum Program {
    /** There is none: frames go through a packet socket. */
    NONE,
    /** Where it is faster. */
    BEST,
    /** In the driver if it takes one, though that may be slower. */
    DRIVER
  }

  /** Half of what the slots of a veth's queue hold, so that a flush does not overrun it. */
  private static final int TRANSMIT_FRAMES = 128;

  private static final int RECEIVE_FRAMES = 2048;
  private static final int CLAIMS_MAX = 512;
  private static final int PEERS_MAX = 4096;
  private static final int FRAMES_LIMIT = 1 << 16;

  /** Refuses what cannot work, by name. */
  public EtherConfig {
    if (node < 0 || node >= Header.EVERYONE) {
      throw new IllegalArgumentException(
          "ether config: node is %d; allowed: 0 to %d".formatted(node, Header.EVERYONE - 1));
    }
    check("transmitFrames", transmitFrames, 1, 1024);
    check("receiveFrames", receiveFrames, 2, FRAMES_LIMIT);
    if (Integer.bitCount(receiveFrames) != 1) {
      throw new IllegalArgumentException(
          "ether config: receiveFrames is %d; allowed: powers of two".formatted(receiveFrames));
    }
    check("claimsMax", claimsMax, 0, FRAMES_LIMIT);
    check("peersMax", peersMax, 1, Header.EVERYONE);
    check("queue", queue, 0, 1023);
  }

  private static void check(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "ether config: %s is %d; allowed: %d to %d".formatted(name, value, min, max));
    }
  }

  /** A packet socket at an interface. */
  public static EtherConfig packet(String device, int node) {
    return new EtherConfig(
        device, node, 0, TRANSMIT_FRAMES, RECEIVE_FRAMES, CLAIMS_MAX, PEERS_MAX, Program.NONE, 0);
  }

  /** An AF_XDP socket at the first queue of an interface, and a packet socket beside it. */
  public static EtherConfig xdp(String device, int node) {
    return new EtherConfig(
        device, node, 0, TRANSMIT_FRAMES, RECEIVE_FRAMES, CLAIMS_MAX, PEERS_MAX, Program.BEST, 0);
  }

  /** Hearing only frames whose key, if it is one of this node's, is of this life. */
  public EtherConfig of(long life) {
    return new EtherConfig(
        device, node, life, transmitFrames, receiveFrames, claimsMax, peersMax, program, queue);
  }

  /** With the program elsewhere. */
  public EtherConfig with(Program where) {
    return new EtherConfig(
        device,
        node,
        incarnation,
        transmitFrames,
        receiveFrames,
        claimsMax,
        peersMax,
        where,
        queue);
  }

  /** At another queue. */
  public EtherConfig atQueue(int other) {
    return new EtherConfig(
        device,
        node,
        incarnation,
        transmitFrames,
        receiveFrames,
        claimsMax,
        peersMax,
        program,
        other);
  }

  /** With room for so many frames. */
  public EtherConfig withFrames(int transmit, int receive, int claims) {
    return new EtherConfig(
        device, node, incarnation, transmit, receive, claims, peersMax, program, queue);
  }

  /** With so many peers at most. */
  public EtherConfig withPeersMax(int peers) {
    return new EtherConfig(
        device, node, incarnation, transmitFrames, receiveFrames, claimsMax, peers, program, queue);
  }
}
