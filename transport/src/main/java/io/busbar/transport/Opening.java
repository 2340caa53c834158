package io.busbar.transport;

/** What FIRST says of an association, kept by the initiator until it is answered. */
record Opening(
    Service service, long serial, int sourcePort, int destPort, int statusEvery, long tag) {}
