/** Measurements of Busbar, beside its floor and its peers. */
module io.busbar.bench {
  requires io.busbar.fabric;
  requires io.busbar.lab;
  requires io.busbar.transport;
  requires io.busbar.wire;
  requires jdk.management;
  requires static transitive org.jspecify;

  exports io.busbar.bench;
}
