package io.busbar.fabric.ether;

import io.busbar.fabric.NicAddress;
import io.busbar.linux.HardwareAddress;
import io.busbar.wire.Header;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node on an Ethernet segment.
 *
 * @param hardware its interface's address, 48 bits; {@link #UNKNOWN} until a frame of it has told
 * @param node its node id
 */
public record EtherAddress(long hardware, int node) implements NicAddress {
  /** The hardware address will be learned; until then frames go to everyone's interface. */
  public static final long UNKNOWN = 0;

  /** What the text begins with. */
  public static final String KIND = "ether";

  private static final long GROUP_BIT = 1L << 40;
  private static final String NOBODY = "?";
  private static final Pattern TEXT =
      Pattern.compile(KIND + ":(\\?|[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5})/(\\d{1,5})");

  /** Refuses what is no single node. */
  public EtherAddress {
    if (node < 0 || node >= Header.EVERYONE) {
      throw new IllegalArgumentException(
          "a node id is 0 to %d, not %d".formatted(Header.EVERYONE - 1, node));
    }
    if ((hardware & GROUP_BIT) != 0 || hardware >>> 48 != 0) {
      throw new IllegalArgumentException(
          "%s is the address of a group, not of an interface"
              .formatted(HardwareAddress.text(hardware)));
    }
  }

  /** Reads what {@link #text} wrote. */
  public static EtherAddress parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is no address on Ethernet; one looks like ether:02:00:00:00:00:01/7, or ether:?/7"
              .formatted(text));
    }
    String hardware = matcher.group(1);
    long number =
        hardware.equals(NOBODY)
            ? UNKNOWN
            : Long.parseLong(hardware.replace(":", "").toLowerCase(Locale.ROOT), 16);
    return new EtherAddress(number, Integer.parseInt(matcher.group(2)));
  }

  /** The node that an address on Ethernet names. */
  public static int nodeOf(NicAddress address) {
    if (address instanceof EtherAddress ether) {
      return ether.node;
    }
    throw new IllegalArgumentException("%s is no Ethernet address".formatted(address.text()));
  }

  boolean isKnown() {
    return hardware != UNKNOWN;
  }

  @Override
  public String text() {
    return "%s:%s/%d".formatted(KIND, isKnown() ? HardwareAddress.text(hardware) : NOBODY, node);
  }

  @Override
  public String toString() {
    return text();
  }
}
