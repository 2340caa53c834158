/**
 * The simulated cluster: virtual time, faults from a seed, checkers. And the test bed: hosts in
 * network namespaces, for what needs a real network.
 */
module io.busbar.lab {
  requires static com.google.errorprone.annotations;
  requires transitive io.busbar.fabric;
  requires transitive io.busbar.linux;
  requires transitive io.busbar.transport;
  requires transitive io.busbar.wire;
  requires static transitive org.jspecify;

  exports io.busbar.lab;
  exports io.busbar.lab.bed;
}
