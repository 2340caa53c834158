/** The buffer pool: zones, blocks, ownership. */
module io.busbar.memory {
  requires static org.jspecify;

  exports io.busbar.memory;
}
