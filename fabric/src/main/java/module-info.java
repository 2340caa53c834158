/** What moves a frame: the NIC contract, its carriers, and decorators over any of them. */
module io.busbar.fabric {
  requires transitive io.busbar.linux;
  requires transitive io.busbar.memory;
  requires transitive io.busbar.wire;
  requires static org.jspecify;

  exports io.busbar.fabric;
  exports io.busbar.fabric.ether;
  exports io.busbar.fabric.modes;
  exports io.busbar.fabric.shm;
  exports io.busbar.fabric.survey;
  exports io.busbar.fabric.udp;
}
