/** Who is there and who has gone, as a pure state machine. */
module io.busbar.bus {
  requires transitive io.busbar.wire;
  requires static org.jspecify;

  exports io.busbar.bus;
}
