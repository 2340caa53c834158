/** The buffer pool: zones, blocks, ownership. */
module io.busbar.memory {
  requires transitive io.busbar.linux;
  requires static org.jspecify;

  exports io.busbar.memory;
}
