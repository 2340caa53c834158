package io.busbar.node;

/** Where a node can be reached: by a carrier that may lose frames, under a number. */
record Way(Carrier carrier, int number) {
  String fabric() {
    return carrier.nic.fabric();
  }

  int frameBytesMax() {
    return carrier.nic.frameBytesMax(number);
  }
}
