package io.busbar.transport;

import java.util.function.Predicate;

/**
 * Which FIRST a listening context takes (A17).
 *
 * @param proto the protocol number, or {@link #ANY}
 * @param portMin lowest destination port
 * @param portMax highest destination port
 * @param peer the initiating node, or {@link #ANY}
 * @param further any further condition of the user's
 */
public record Criteria(int proto, int portMin, int portMax, int peer, Predicate<Offer> further) {
  /** Matches every value. */
  public static final int ANY = -1;

  /** Refuses criteria that nothing could match. */
  public Criteria {
    if (portMin > portMax) {
      throw new IllegalArgumentException(
          "no port lies between %d and %d".formatted(portMin, portMax));
    }
  }

  /** One port of one protocol, any peer. */
  public static Criteria port(int proto, int port) {
    return new Criteria(proto, port, port, ANY, offer -> true);
  }

  boolean matches(Offer offer) {
    return (proto == ANY || proto == offer.proto())
        && offer.destPort() >= portMin
        && offer.destPort() <= portMax
        && (peer == ANY || peer == offer.peer())
        && further.test(offer);
  }
}
