/** One process's place in the cluster: an engine without input or output, and who drives it. */
module io.busbar.node {
  requires transitive io.busbar.bus;
  requires transitive io.busbar.fabric;
  requires transitive io.busbar.transport;
  requires static transitive org.jspecify;

  exports io.busbar.node;
  exports io.busbar.node.stat;
}
