/** Every byte that crosses between processes: layouts, checks, emitters, printers. */
module io.busbar.wire {
  requires static org.jspecify;

  exports io.busbar.wire;
}
