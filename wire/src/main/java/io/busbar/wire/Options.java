package io.busbar.wire;

/** The option bits of a frame. A bit without a name here must be zero in version 1. */
public final class Options {
  /** The sender asks for status. */
  public static final int SREQ = 0x0001;

  /** The last byte of this frame ends a message. */
  public static final int EOM = 0x0002;

  /** The sender's outgoing stream ends with this frame. */
  public static final int WCLOSE = 0x0004;

  /** The sender takes nothing more from its incoming stream: it is complete, or unwanted. */
  public static final int RCLOSE = 0x0008;

  /** The association dissolves. */
  public static final int END = 0x0010;

  /** The key was made by the node this frame is sent to: abbreviated lookup. */
  public static final int RTN = 0x0020;

  /** These bytes were sent before; tells a loss from a reordering. */
  public static final int REPAIR = 0x0040;

  /** A CRC32C over header and payload follows the payload. */
  public static final int CRC = 0x4000;

  /** A seal (counter and tag) follows the payload. */
  public static final int SEAL = 0x8000;

  /** Every bit that version 1 defines. */
  public static final int KNOWN = SREQ | EOM | WCLOSE | RCLOSE | END | RTN | REPAIR | CRC | SEAL;

  private static final String[] NAMES = {
    "SREQ", "EOM", "WCLOSE", "RCLOSE", "END", "RTN", "REPAIR", "", "", "", "", "", "", "", "CRC",
    "SEAL"
  };

  private Options() {}

  /** The names of the bits set, separated by {@code |}; {@code -} when none is. */
  public static String names(int options) {
    StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < 16; bit++) {
      if ((options & 1 << bit) != 0) {
        text.append(text.isEmpty() ? "" : "|");
        text.append(NAMES[bit].isEmpty() ? "bit" + bit : NAMES[bit]);
      }
    }
    return text.isEmpty() ? "-" : text.toString();
  }
}
