package io.busbar.wire;

/**
 * The file in which a node shows its counters to other processes of its host: a header, a table of
 * named counters, and a row for each peer. Names stand beside the values, so that a reader need not
 * know which counters there are. All words are little-endian and naturally aligned.
 */
public final class StatLayout {
  /** {@code BUSBARST}, the first bytes of the file; stored last. */
  public static final long MAGIC = 0x5453_5241_4253_5542L;

  /** The version of this layout. */
  public static final int VERSION = 1;

  /** Where the first bytes say what it is. */
  public static final int MAGIC_AT = 0;

  /** {@link #VERSION}. */
  public static final int VERSION_AT = 8;

  /** The owner's process id, in its own view; it proves nothing. */
  public static final int PID_AT = 12;

  /** When the file was made, in milliseconds since 1970. */
  public static final int START_MS_AT = 16;

  /** The life of the node. */
  public static final int INCARNATION_AT = 24;

  /** The hash of the cluster's name. */
  public static final int CLUSTER_AT = 32;

  /** The node's number. */
  public static final int NODE_AT = 40;

  /** Counters that have a name. */
  public static final int COUNTERS_AT = 44;

  /** Rows that were ever used: the others are empty. */
  public static final int PEERS_AT = 48;

  /** Peers for which there was no row. */
  public static final int HIDDEN_AT = 52;

  /** The owner's clock for {@link #PEER_SINCE_NS_AT}, when it last looked at it. */
  public static final int CLOCK_NS_AT = 56;

  /** The time of day when the owner last looked at its clock, in milliseconds since 1970. */
  public static final int CLOCK_MS_AT = 64;

  /** The node's name. */
  public static final int NAME_AT = 72;

  /** Bytes of the header. */
  public static final int BYTES = 136;

  /** Bytes of the node's name: UTF-8, zeros behind it. */
  public static final int NAME_BYTES = BYTES - NAME_AT;

  /** Where the counters begin. */
  public static final int COUNTERS = 256;

  /** Counters that the file has room for. */
  public static final int COUNTERS_MAX = 256;

  /** A counter: its name. */
  public static final int COUNTER_NAME_AT = 0;

  /** A counter: its value. */
  public static final int COUNTER_VALUE_AT = 32;

  /** Bytes of a counter. */
  public static final int COUNTER_BYTES = 40;

  /** Bytes of a counter's name: printable ASCII, zeros behind it. */
  public static final int COUNTER_NAME_BYTES = COUNTER_VALUE_AT - COUNTER_NAME_AT;

  /** Where the peers begin. */
  public static final int PEERS = 12288;

  /** Peers that the file has rows for. */
  public static final int PEERS_MAX = 1024;

  /** A row: odd while it is being changed, another even number afterwards. */
  public static final int PEER_SEQUENCE_AT = 0;

  /** A row: the peer's number. */
  public static final int PEER_NODE_AT = 8;

  /** A row: {@link #EMPTY}, {@link #OPEN} or {@link #GONE}. */
  public static final int PEER_STATE_AT = 16;

  /** A row: what carries the frames. */
  public static final int PEER_FABRIC_AT = 24;

  /** A row: the number of a {@link Blocked}. */
  public static final int PEER_BLOCKED_AT = 32;

  /** A row: since when it is blocked so, by the owner's clock. */
  public static final int PEER_SINCE_NS_AT = 40;

  /** A row: bytes from the peer. */
  public static final int PEER_BYTES_IN_AT = 48;

  /** A row: bytes to the peer. */
  public static final int PEER_BYTES_OUT_AT = 56;

  /** A row: messages from the peer. */
  public static final int PEER_MESSAGES_IN_AT = 64;

  /** A row: messages to the peer. */
  public static final int PEER_MESSAGES_OUT_AT = 72;

  /** A row: frames that were sent again. */
  public static final int PEER_REPAIRS_AT = 80;

  /** A row: how often it was blocked. */
  public static final int PEER_STALLS_AT = 88;

  /** A row: the round trip, smoothed; 0 when it is not known. */
  public static final int PEER_ROUND_TRIP_NS_AT = 96;

  /** A row: bytes that wait to be sent. */
  public static final int PEER_WAITING_BYTES_AT = 104;

  /** A row: where the peer is reached. */
  public static final int PEER_ADDRESS_AT = 112;

  /** A row: zeros. */
  public static final int PEER_RESERVED_AT = 176;

  /** Bytes of a row, three lines. */
  public static final int PEER_BYTES = 192;

  /** Bytes of a fabric's name: printable ASCII, zeros behind it. */
  public static final int FABRIC_BYTES = PEER_BLOCKED_AT - PEER_FABRIC_AT;

  /** Bytes of an address: UTF-8, zeros behind it. */
  public static final int ADDRESS_BYTES = PEER_RESERVED_AT - PEER_ADDRESS_AT;

  /** The state of a row that shows nobody. */
  public static final long EMPTY = 0;

  /** The state of a row whose peer is talked to. */
  public static final long OPEN = 1;

  /** The state of a row whose peer has left, or died. */
  public static final long GONE = 2;

  /** Bytes of the file. */
  public static final int FILE_BYTES = PEERS + PEERS_MAX * PEER_BYTES;

  private StatLayout() {}

  /** Where a counter begins. */
  public static long counterAt(int slot) {
    return COUNTERS + (long) slot * COUNTER_BYTES;
  }

  /** Where a row begins. */
  public static long peerAt(int row) {
    return PEERS + (long) row * PEER_BYTES;
  }
}
