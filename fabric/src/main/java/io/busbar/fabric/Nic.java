package io.busbar.fabric;

import io.busbar.linux.PollSet;
import io.busbar.memory.Pool;
import io.busbar.memory.Role;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * A network interface, as a user-level protocol sees it: descriptors are placed ({@link #reserve}
 * and {@link #commit}, or {@link #transmit}), the doorbell is rung ({@link #flush}), and what has
 * arrived is taken within a budget ({@link #poll}). One thread at a time uses it.
 *
 * <p>Methods of the data path return a {@link #isTicket ticket} or a refusal, never throw for want
 * of room, and allocate nothing. A refused frame left no trace: the caller keeps it.
 */
public interface Nic extends AutoCloseable {
  /**
   * A destination: all who hear this carrier's broadcasts. Needs {@link NicCapability#BROADCAST}.
   */
  int EVERYONE = Integer.MAX_VALUE;

  /** A source that was not opened: {@link #source} says its address. */
  int STRANGER = -1;

  /** The frame was taken, and its memory is the caller's again. */
  long DONE = 0;

  /** Refused: no room now. Flush, poll, and try again, or wait. */
  long FULL = -1;

  /** Refused: the peer is dead, or was closed. */
  long GONE = -2;

  /** Refused: longer than {@link #frameBytesMax} of the peer. */
  long TOO_LONG = -3;

  /** Names of frames that can be claimed have so many bits: who has several carriers adds some. */
  int NAME_BITS = 56;

  /** The name of a frame that cannot be claimed. */
  long UNCLAIMABLE = -1;

  /** Whether the frame was taken: {@link #DONE}, or a ticket for {@link #isComplete}. */
  static boolean isTicket(long result) {
    return result >= 0;
  }

  /** The carrier: {@code shm}, {@code udp}, ... */
  String fabric();

  /** Where others reach this interface. */
  NicAddress address();

  /**
   * The node has another id from now on, in another life: for carriers that sort frames by them.
   * All ways were closed before.
   */
  default void rename(int node, long incarnation) {}

  /** What it can do beyond sending and receiving frames. */
  Set<NicCapability> capabilities();

  /** What happened so far, by name: one object, which goes on counting. */
  NicCounters counters();

  // Peers.

  /**
   * Opens a way to a peer. Cold: it may map memory and look into files.
   *
   * @return the peer's number, the same one for the same address
   * @throws FabricException when there is no such way; it says why
   */
  int open(NicAddress peer);

  /** The address of an opened peer. */
  NicAddress address(int peer);

  /**
   * Closes the way to a peer; its number may be given again. One that is gone already is left
   * alone. Whoever opens the way again, here or there, may see another number.
   *
   * <p>Also from inside a delivery or an event: nothing more is delivered under that number, and
   * its end is not told; a frame of that peer which is being delivered stays until {@code onFrame}
   * returns.
   */
  void close(int peer);

  /** The longest frame to a peer, or to {@link #EVERYONE}; it changes with the path. */
  int frameBytesMax(int peer);

  // Sending.

  /** The memory in which {@link #reserve} gives room. */
  MemorySegment transmitMemory();

  /**
   * Takes room for a frame that is written in place. Until {@link #commit} or {@link #abandon}
   * nothing else is called.
   *
   * @return where in {@link #transmitMemory} the frame goes, or a refusal
   */
  long reserve(int peer, int length);

  /** Sends what was reserved, or its first {@code length} bytes. */
  void commit(int length);

  /** Gives back what was reserved. */
  void abandon();

  /**
   * Sends bytes of the caller's. Memory that was {@link #register registered} may be used in place
   * until the ticket completes; other memory is copied.
   *
   * @return {@link #DONE}, a ticket, or a refusal
   */
  long transmit(int peer, MemorySegment from, long offset, int length);

  /** Sends a frame that is gathered from parts; as the other {@code transmit}, part by part. */
  long transmit(int peer, FrameBuilder frame);

  /**
   * Gives a buffer of the interface's pool away, with the frame in its first bytes: nothing is
   * copied, and the handle is of no further use. Needs {@link NicCapability#OWNERSHIP}.
   *
   * @return {@link #DONE}, or a refusal, after which the buffer is still the caller's
   */
  long transfer(int peer, long handle, Role from, int length);

  /** The pool whose buffers can be given away. Needs {@link NicCapability#OWNERSHIP}. */
  default Pool pool() {
    throw new UnsupportedOperationException(fabric() + " has no buffers to give away");
  }

  /** Whether the memory of a transmitted frame is the caller's again. */
  boolean isComplete(long ticket);

  /**
   * Rings the doorbell: whatever was placed leaves, or is on its way to a peer that is awake.
   *
   * @return frames that could not leave yet; they stay, and the next flush takes them
   */
  int flush();

  /** Promises that native memory stays alive, and unchanged while a ticket is open. */
  void register(MemorySegment memory);

  /** Ends the promise, when no ticket is open. */
  void deregister(MemorySegment memory);

  // Receiving.

  /**
   * Hands up to {@code budget} frames to the receiver, in the order in which each peer sent them
   * where the carrier keeps it; some, not always all, of those that are there. Events are reported
   * from here too. What the receiver throws comes out of here; its frame counts as delivered.
   *
   * @return how many frames; 0 only when there was none
   */
  int poll(FrameReceiver receiver, int budget);

  /** During the delivery of a frame: where it came from. Allocates. */
  NicAddress source();

  /**
   * During the delivery of a frame: whether its sender said it to {@link #EVERYONE}, so that what
   * is said to everyone here presumably reaches the sender.
   */
  default boolean cameToEveryone() {
    return false;
  }

  /**
   * During the delivery of a frame, and while it is kept already: keeps its memory until {@link
   * #release}. May be done more than once, and is undone as often.
   *
   * @return false when it cannot be kept, or the quota is spent: copy instead
   */
  boolean claim(long frame);

  /**
   * Gives a claim back. Frames that arrived glued together may share a name; a name that was given
   * back as often as claimed opens nothing any more.
   */
  void release(long frame);

  // Sleeping.

  /** Adds the descriptors to sleep on; they change when peers come and go. */
  void listen(PollSet set);

  /**
   * Says that the caller is about to sleep, then looks once more.
   *
   * @return true when nothing has arrived: whatever comes from now on wakes the set, and so does
   *     room, if something was refused as full or found incomplete since the last call. False: do
   *     not sleep; poll, and try again what was refused.
   */
  boolean arm();

  /** Says that the caller is awake; after every {@link #arm}. */
  void disarm();

  /** Closes the interface: nothing is sent or received any more, peers notice. */
  @Override
  void close();
}
