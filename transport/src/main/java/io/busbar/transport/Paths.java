package io.busbar.transport;

import org.jspecify.annotations.Nullable;

/** The paths by node id: 256 pages of 256, each made when first needed. */
final class Paths {
  private static final int PAGE = 256;

  private final @Nullable Path[][] pages = new @Nullable Path[PAGE][];

  @Nullable Path find(int node) {
    @Nullable Path[] page = pages[node >>> 8];
    return page == null ? null : page[node & PAGE - 1];
  }

  void remove(int node) {
    @Nullable Path[] page = pages[node >>> 8];
    if (page != null) {
      page[node & PAGE - 1] = null;
    }
  }

  void put(Path path) {
    int at = path.peer >>> 8;
    if (pages[at] == null) {
      pages[at] = new @Nullable Path[PAGE];
    }
    pages[at][path.peer & PAGE - 1] = path;
  }
}
