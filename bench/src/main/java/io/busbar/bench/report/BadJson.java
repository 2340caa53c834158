package io.busbar.bench.report;

/** A line that cannot be read, and why. */
final class BadJson extends RuntimeException {
  private static final long serialVersionUID = 1;

  BadJson(String what) {
    super(what);
  }
}
