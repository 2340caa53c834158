/** The simulated cluster: virtual time, faults from a seed, checkers. */
module io.busbar.lab {
  requires static com.google.errorprone.annotations;
  requires transitive io.busbar.fabric;
  requires transitive io.busbar.transport;
  requires transitive io.busbar.wire;
  requires static transitive org.jspecify;

  exports io.busbar.lab;
}
