/** QMP associations as a pure state machine. */
module io.busbar.transport {
  requires transitive io.busbar.wire;
  requires static org.jspecify;

  exports io.busbar.transport;
}
