package io.busbar.fabric.udp;

/**
 * How a UDP interface is made.
 *
 * @param bind the local address, whose family is the interface's. An address of no host takes the
 *     first that the device has, port 0 any port: frames then always come from {@link
 *     UdpNic#address}, by which peers know them
 * @param device the network interface, by name or number, for the address and for {@code everyone};
 *     empty for the one that has the address, or the first that is up and leads elsewhere
 * @param everyone where frames to everyone go and are heard: a group, or a broadcast address, with
 *     the port that all share; {@link UdpAddress#ANY_IPV4} for none
 * @param hops routers that a frame to a group may pass
 * @param receiveBufferBytes of the socket: what may arrive while nobody polls. Wanted, not needed:
 *     the system's limit may allow less
 * @param sendBufferBytes of the socket: what the driver may hold; past it a flush leaves the rest
 *     staged
 * @param chunkBytes where datagrams arrive: 64 KB holds whatever comes. Less saves memory where
 *     frames are claimed, cuts longer datagrams, and cannot hold glued ones
 * @param chunks received into by one call: more saves calls when many peers send, and costs cache
 * @param claimsMax chunks that the layer above may keep: beyond it, it copies. Each claim of a
 *     short frame keeps a whole chunk
 * @param transmitBytes that frames are written into or copied to before they leave
 * @param transmitFrames that wait for a flush, in sum
 * @param inPlaceBytesMin registered memory is sent from where it is in pieces of a frame of at
 *     least this length, and in whole frames of at least half of it; shorter ones are copied,
 *     because two more entries in the kernel's list of pieces cost as much as copying about 3 KB
 * @param peersMax opened at a time
 * @param shortcutsMax peers that get a connected socket, which saves a tenth of a round trip, for a
 *     descriptor each
 * @param gso whether the kernel cuts runs of frames
 * @param gro whether the kernel glues them; needs chunks of 64 KB
 */
public record UdpConfig(
    UdpAddress bind,
    String device,
    UdpAddress everyone,
    int hops,
    int receiveBufferBytes,
    int sendBufferBytes,
    int chunkBytes,
    int chunks,
    int claimsMax,
    int transmitBytes,
    int transmitFrames,
    int inPlaceBytesMin,
    int peersMax,
    int shortcutsMax,
    Offload gso,
    Offload gro) {
  /** Holds the longest datagram, and the longest run of glued ones. */
  static final int CHUNK_BYTES_MAX = 64 << 10;

  private static final int CHUNK_BYTES_MIN = 256;

  /** Messages of one system call. */
  private static final int CHUNKS_MAX = 1024;

  private static final int TRANSMIT_BYTES_MAX = 1 << 30;

  /** Refuses what cannot work, by name. */
  public UdpConfig {
    if (!everyone.isAny()) {
      check(
          everyone.isIpv4() == bind.isIpv4(),
          "everyone is %s, and bind %s".formatted(everyone, bind));
      check(
          everyone.port() != 0,
          "everyone is %s: it needs the port that all share".formatted(everyone));
      check(
          everyone.isIpv4() || everyone.isMulticast(),
          "everyone is %s: IPv6 has groups (ff00::/8) and no broadcast".formatted(everyone));
    }
    check(!bind.isMulticast(), "bind is %s: a group goes to everyone".formatted(bind));
    within("hops", hops, 0, 255);
    within("receiveBufferBytes", receiveBufferBytes, 4096, 1 << 30);
    within("sendBufferBytes", sendBufferBytes, 4096, 1 << 30);
    within("chunkBytes", chunkBytes, CHUNK_BYTES_MIN, CHUNK_BYTES_MAX);
    within("chunks", chunks, 1, CHUNKS_MAX);
    within("claimsMax", claimsMax, 0, 1 << 20);
    within("transmitBytes", transmitBytes, CHUNK_BYTES_MAX, TRANSMIT_BYTES_MAX);
    within("transmitFrames", transmitFrames, 1, 1 << 20);
    within("inPlaceBytesMin", inPlaceBytesMin, 1, Integer.MAX_VALUE);
    within("peersMax", peersMax, 1, 1 << 20);
    within("shortcutsMax", shortcutsMax, 0, peersMax);
    check(
        gro != Offload.ON || chunkBytes == CHUNK_BYTES_MAX,
        "gro is ON with chunks of %d bytes: glued datagrams need %d"
            .formatted(chunkBytes, CHUNK_BYTES_MAX));
  }

  private static void within(String name, int value, int least, int most) {
    check(
        value >= least && value <= most,
        "%s is %d; allowed: %d to %d".formatted(name, value, least, most));
  }

  private static void check(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException("udp config: " + message);
    }
  }

  /** Whether there is an address that all hear. */
  boolean hasEveryone() {
    return !everyone.isAny();
  }

  /** IPv4, any port, nobody else told: for peers whose addresses are known. */
  public static UdpConfig defaults() {
    return builder().build();
  }

  /** Starts from the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Changes single values of the defaults. */
  public static final class Builder {
    private UdpAddress bind = UdpAddress.ANY_IPV4;
    private String device = "";
    private UdpAddress everyone = UdpAddress.ANY_IPV4;
    private int hops = 1;
    private int receiveBufferBytes = 4 << 20;
    private int sendBufferBytes = 2 << 20;
    private int chunkBytes = CHUNK_BYTES_MAX;
    private int chunks = 8;
    private int claimsMax = 256;
    private int transmitBytes = 1 << 20;
    private int transmitFrames = 1024;
    private int inPlaceBytesMin = 2_800;
    private int peersMax = 4096;
    private int shortcutsMax = 64;
    private Offload gso = Offload.AUTO;
    private Offload gro = Offload.AUTO;

    Builder() {}

    /** The local address. */
    public Builder bind(UdpAddress value) {
      bind = value;
      return this;
    }

    /** The network interface, by name or number. */
    public Builder device(String value) {
      device = value;
      return this;
    }

    /** The group or broadcast address of all. */
    public Builder everyone(UdpAddress value) {
      everyone = value;
      return this;
    }

    /** Routers that a frame to a group may pass. */
    public Builder hops(int value) {
      hops = value;
      return this;
    }

    /** The socket's buffers. */
    public Builder buffers(int receiveBytes, int sendBytes) {
      receiveBufferBytes = receiveBytes;
      sendBufferBytes = sendBytes;
      return this;
    }

    /** Where datagrams arrive: the size of a chunk, chunks per call, and chunks for claims. */
    public Builder chunks(int bytes, int perCall, int claims) {
      chunkBytes = bytes;
      chunks = perCall;
      claimsMax = claims;
      return this;
    }

    /** Where frames wait for a flush. */
    public Builder transmit(int bytes, int frames) {
      transmitBytes = bytes;
      transmitFrames = frames;
      return this;
    }

    /** How long a piece of registered memory is not to be copied. */
    public Builder inPlaceBytesMin(int value) {
      inPlaceBytesMin = value;
      return this;
    }

    /** Peers at a time, and how many of them get a connected socket. */
    public Builder peers(int max, int shortcuts) {
      peersMax = max;
      shortcutsMax = shortcuts;
      return this;
    }

    /** Whether the kernel cuts and glues. */
    public Builder offloads(Offload cut, Offload glue) {
      gso = cut;
      gro = glue;
      return this;
    }

    /** Checks and makes it. */
    public UdpConfig build() {
      return new UdpConfig(
          bind,
          device,
          everyone,
          hops,
          receiveBufferBytes,
          sendBufferBytes,
          chunkBytes,
          chunks,
          claimsMax,
          transmitBytes,
          transmitFrames,
          inPlaceBytesMin,
          peersMax,
          shortcutsMax,
          gso,
          gro);
    }
  }
}
