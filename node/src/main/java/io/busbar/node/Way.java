package io.busbar.node;

/**
 * Where a node can be reached: by a carrier that may lose frames, under a number.
 *
 * @param framesTriedBytes frames of that size got through; longer ones are not sent
 */
record Way(Carrier carrier, int number, int framesTriedBytes) {
  String fabric() {
    return carrier.nic.fabric();
  }

  int frameBytesMax() {
    return Math.min(carrier.nic.frameBytesMax(number), framesTriedBytes);
  }
}
