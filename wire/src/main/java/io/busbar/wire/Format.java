package io.busbar.wire;

/** The low four bits of a frame's first byte: what kind of frame it is. */
public final class Format {
  /** Opens an association: addresses, service, both incarnations, and data. */
  public static final int FIRST = 1;

  /** Bytes of a stream, or one datagram. */
  public static final int DATA = 2;

  /** Status: what has arrived, what may be sent. */
  public static final int CNTL = 3;

  /** Status with the spans that arrived behind a gap. */
  public static final int ECNTL = 4;

  /** Why something cannot be done, or a question about an incarnation. */
  public static final int DIAG = 5;

  /** Traffic specification; the number is kept, nothing sends it yet. */
  public static final int TCNTL = 6;

  /** Is answered as it is, with {@link Options#RTN} and without its payload: measures a way. */
  public static final int ECHO = 7;

  /** The bus's formats begin here and end at 15. */
  public static final int BUS = 8;

  /** A node's own card, to everyone. */
  public static final int HELLO = BUS;

  /** Asks for the cards of those classes of ids whose hashes differ. */
  public static final int SYNC = 9;

  /** Cards. */
  public static final int VIEW = 10;

  /** Records that have changed. */
  public static final int NEWS = 11;

  /** Asks a node for a sign of life, or another one to do so. */
  public static final int PROBE = 12;

  /** A sign of life. */
  public static final int ANSWER = 13;

  /** Bytes of a broadcast stream. */
  public static final int CAST = 14;

  /** What the sender of such a stream and its readers say of it. */
  public static final int CASTC = 15;

  private static final String[] NAMES = {
    "?0", "FIRST", "DATA", "CNTL", "ECNTL", "DIAG", "TCNTL", "ECHO", "HELLO", "SYNC", "VIEW",
    "NEWS", "PROBE", "ANSWER", "CAST", "CASTC"
  };

  private Format() {}

  /** The option bits that a frame of this format (FIRST to DIAG, ECHO) must not have. */
  static int optionsRefused(int format) {
    return switch (format) {
      case FIRST -> Options.RTN | Options.END;
      case DATA -> 0;
      default -> Options.EOM | Options.REPAIR;
    };
  }

  /** The format's name as traces print it. */
  public static String name(int format) {
    return NAMES[format];
  }
}
