/** Who is there, and one message to all of them, as pure state machines. */
module io.busbar.bus {
  requires transitive io.busbar.wire;
  requires static org.jspecify;

  exports io.busbar.bus;
}
