/**
 * The simulated cluster: virtual time, faults from a seed, checkers. The test bed: hosts in network
 * namespaces, for what needs a real network. And the checks that every carrier passes.
 */
module io.busbar.lab {
  requires static com.google.errorprone.annotations;
  requires transitive io.busbar.bus;
  requires transitive io.busbar.fabric;
  requires transitive io.busbar.linux;
  requires transitive io.busbar.messages;
  requires transitive io.busbar.mpi;
  requires transitive io.busbar.node;
  requires transitive io.busbar.transport;
  requires transitive io.busbar.wire;
  requires java.management;
  requires jdk.management;
  requires static transitive org.jspecify;

  exports io.busbar.lab;
  exports io.busbar.lab.bed;
  exports io.busbar.lab.bus;
  exports io.busbar.lab.conformance;
  exports io.busbar.lab.mpi;
  exports io.busbar.lab.stack;
}
