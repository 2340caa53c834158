package io.busbar.messages;

/**
 * What messages hold for nodes that live: for monitors, and for tests of what is left over. When
 * all that was begun has ended and was handled, it is nothing.
 *
 * @param begun messages that were begun and have not ended here
 * @param waiting messages that need a channel and have none, so that others pass them
 * @param stages memory that gathers their pieces, or is on its way
 * @param channels channels of lanes that carry a body, or whose body is not done with
 * @param deferredBytes what handlers sent and could not leave, headers included
 * @param coming long messages that come, or whose handlers are not done with them
 * @param reports what the extractor has dealt with and the lanes have not heard of
 */
public record Held(
    int begun, int waiting, int stages, int channels, long deferredBytes, int coming, int reports) {
  /** Whether it is nothing at all. */
  public boolean isNothing() {
    return begun == 0
        && waiting == 0
        && stages == 0
        && channels == 0
        && deferredBytes == 0
        && coming == 0
        && reports == 0;
  }
}
