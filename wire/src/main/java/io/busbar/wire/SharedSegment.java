package io.busbar.wire;

/**
 * The file in shared memory by which a process is reached on its own host: a header, words that
 * others write, a mailbox, the buffer pool, and a ring for each peer it sends to. All words are
 * naturally aligned, because they publish.
 */
public final class SharedSegment {
  /** {@code BUSBARSM}, the first bytes of the file. */
  public static final long MAGIC = 0x4D53_5241_4253_5542L;

  /** The version of this layout. */
  public static final int VERSION = 1;

  /** State: the owner is still writing the header. */
  public static final int MAKING = 0;

  /** State: peers may come. */
  public static final int READY = 1;

  /** State: the owner has left. */
  public static final int CLOSED = 2;

  /** Where the first bytes say what it is. */
  public static final int MAGIC_AT = 0;

  /** {@link #VERSION}. */
  public static final int VERSION_AT = 8;

  /** Bytes of a ring's slots. */
  public static final int RING_BYTES_AT = 12;

  /** A random number, which is also in the owner's address and in the name of the file. */
  public static final int TOKEN_AT = 16;

  /** A hash of the boot id of the owner's kernel. */
  public static final int BOOT_AT = 24;

  /** The inode of the owner's network namespace. */
  public static final int NETWORK_AT = 32;

  /** The owner's process id, in its own view; it proves nothing. */
  public static final int PID_AT = 40;

  /** Bytes of a block of the pool. */
  public static final int BLOCK_BYTES_AT = 44;

  /** Zones of the pool. */
  public static final int ZONES_AT = 48;

  /** Zero. */
  public static final int RESERVED_AT = 52;

  /** Making, ready, closed. */
  public static final int STATE_AT = 56;

  /** Where the owner's private memory holds the token: who can read it there may read across. */
  public static final int PROBE_AT = 64;

  /** Bytes of the header. */
  public static final int BYTES = 72;

  /** The word that says whether the owner sleeps, in a line of its own. */
  public static final int SLEEP_WORD = 128;

  /** The word that counts announcements, in a line of its own. */
  public static final int MAIL_WORD = 256;

  /** The owner's scratch for small broadcasts. */
  public static final int SCRATCH = 512;

  /** The sleep word: its bits that are the state; those above count how often the owner slept. */
  public static final long SLEEP_STATE = 3;

  /** The sleep word: one more sleep. */
  public static final long SLEEP = 4;

  /** The sleep word: awake. */
  public static final long AWAKE = 0;

  /** The sleep word: asleep, or about to sleep. */
  public static final long ASLEEP = 1;

  /** The sleep word: somebody has rung already. */
  public static final long RUNG = 2;

  /** The sleep word: asleep, or about to sleep, and waiting for room in rings or buffers, too. */
  public static final long WANTS_ROOM = 3;

  /** Where the mailbox begins. */
  public static final int MAILBOX = 4096;

  /** Announcements that the mailbox holds. */
  public static final int MAIL_SLOTS = 256;

  /** An announcement: the sender's token; whoever sets it has the slot. */
  public static final int MAIL_TOKEN_AT = 0;

  /** An announcement: by which number the sender knows the owner, in its pool and its rings. */
  public static final int MAIL_PARTICIPANT_AT = 8;

  /** An announcement: the token again, stored last. */
  public static final int MAIL_READY_AT = 16;

  /** Bytes of an announcement that are written. */
  static final int MAIL_WRITTEN_BYTES = 24;

  /** Bytes of an announcement, a line. */
  public static final int MAIL_BYTES = 64;

  /** Where the pool begins. */
  public static final int POOL = MAILBOX + MAIL_SLOTS * MAIL_BYTES;

  /** The participant that is the owner; peers have the numbers above. */
  public static final int OWNER = 1;

  /** Peers that a segment has rings for. */
  public static final int PEERS_MAX = 254;

  /** A ring: units that the receiver has taken; the receiver writes it. */
  public static final int RING_HEAD = 0;

  /** A ring: what the receiver says about it; the receiver writes it. */
  public static final int RING_RECEIVER = 128;

  /** A ring: what the sender says about it; the sender writes it. */
  public static final int RING_SENDER = 256;

  /** A ring: where its slots begin. */
  public static final int RING_SLOTS = 4096;

  /** A ring's word: not used. */
  public static final long RING_UNUSED = 0;

  /** A ring's word: in use. */
  public static final long RING_OPEN = 1;

  /** The receiver's word: in use, and the receiver may read the sender's memory. */
  public static final long RING_OPEN_ACROSS = 2;

  /** A ring's word: this side has closed it. */
  public static final long RING_CLOSED = 3;

  private SharedSegment() {}
}
