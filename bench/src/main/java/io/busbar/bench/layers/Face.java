package io.busbar.bench.layers;

import java.util.List;

/**
 * A way to use messages, or a layer that stands on them.
 *
 * @param name in the figures
 * @param contender who uses it, for a fabric; {@code %s} stands for the fabric
 * @param how what a program does that uses it
 */
record Face(String name, String contender, String how) {
  /** What a face is compared with. */
  static final Face WHOLE = new Face("messages", "face-%s-whole", "one call sends, one receives");

  /** Every face; what is added here is measured. */
  static final List<Face> ALL =
      List.of(
          new Face("pieces", "face-%s-pieces", "a message begins, has two pieces, and is closed"),
          new Face("given", "face-%s-given", "a buffer is given away, and taken by the handler"),
          new Face("waiting", "face-%s-waiting", "the handler runs on a virtual thread"),
          new Face("resumable", "face-%s-resumable", "the handler is called for each arrival"));

  /** Who uses it over a fabric. */
  String over(String fabric) {
    return contender.formatted(fabric);
  }
}
