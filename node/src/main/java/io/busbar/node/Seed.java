package io.busbar.node;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where another node may be, as people write it: a host by its name or its address, and a port.
 *
 * @param host a name, or an address; one of IPv6 in brackets
 */
record Seed(String host, int port) {
  private static final Pattern FORM =
      Pattern.compile("(\\[[^\\]]+\\]|[^:\\[\\]]+)(:([0-9]{1,5}))?");
  private static final Pattern LITERAL = Pattern.compile("\\[.*\\]|[0-9.]+");

  /**
   * Reads one.
   *
   * @param port if it names none
   * @throws IllegalArgumentException when it is none
   */
  static Seed parse(String text, int port) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' is no seed; write HOST or HOST:PORT, an IPv6 address in brackets".formatted(text));
    }
    String given = matcher.group(3);
    return new Seed(matcher.group(1), given == null ? port : Integer.parseInt(given));
  }

  /**
   * Its addresses with the port. A name may have several: all processes of a service, say. Those of
   * IPv4 are taken if there are any.
   *
   * @throws NodeException when nobody knows the name
   */
  Stream<String> addresses() {
    if (LITERAL.matcher(host).matches()) {
      return Stream.of(host + ":" + port);
    }
    try {
      List<InetAddress> found = Arrays.asList(InetAddress.getAllByName(host));
      boolean hasShort = found.stream().anyMatch(Inet4Address.class::isInstance);
      return found.stream()
          .filter(address -> address instanceof Inet4Address == hasShort)
          .map(InetAddress::getHostAddress)
          .map(text -> (hasShort ? text : "[" + text + "]") + ":" + port);
    } catch (UnknownHostException e) {
      throw new NodeException(
          "no address is known of the seed '%s': write its address, or a name that this host knows"
              .formatted(host),
          e);
    }
  }
}
