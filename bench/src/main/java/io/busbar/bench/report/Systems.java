package io.busbar.bench.report;

import java.util.List;

/** The systems of a run: each has one look on the whole page. */
final class Systems {
  private static final int COLOURS = 8;

  private static final String[] FORMS = {
    "M-3.5 0A3.5 3.5 0 1 0 3.5 0A3.5 3.5 0 1 0 -3.5 0Z", // a disc
    "M-3 -3H3V3H-3Z", // a square
    "M0 -4L4 3H-4Z", // a triangle
    "M0 -4.5L4 0L0 4.5L-4 0Z", // a diamond
    "M0 4L4 -3H-4Z" // a triangle on its head
  };

  private final List<String> names;

  Systems(Recording recording) {
    names = recording.systems();
  }

  /**
   * How a system is drawn. Colours and forms repeat after different counts, so that 40 systems look
   * different.
   *
   * @param style its colour, as a class of the page
   * @param form its mark, as a path around the origin
   */
  record Look(String style, String form) {}

  Look look(String system) {
    int index = Math.max(names.indexOf(system), 0);
    return new Look("s" + index % COLOURS, FORMS[index % FORMS.length]);
  }
}
