/** The buffer pool: zones, blocks, ownership; and the memory that it stands on. */
module io.busbar.memory {
  requires transitive io.busbar.linux;
  requires static org.jspecify;

  exports io.busbar.memory;
}
