package io.busbar.transport;

import io.busbar.wire.FirstBlock;
import io.busbar.wire.FrameView;

/** What FIRST says of itself: what listeners match, and what the accepting user learns. */
public record Offer(
    int peer,
    long incarnation,
    int proto,
    Service service,
    int sourcePort,
    int destPort,
    long tag) {
  static Offer of(FrameView first, Service service) {
    return new Offer(
        first.from(),
        FirstBlock.sourceIncarnation(first),
        first.proto(),
        service,
        FirstBlock.sourcePort(first),
        FirstBlock.destPort(first),
        FirstBlock.tag(first));
  }
}
