/** Measurements of Busbar, beside its floor and its peers. */
module io.busbar.bench {
  requires static io.aeron.client; // these three in the processes where Aeron is measured
  requires static io.aeron.driver;
  requires static org.agrona;
  requires io.busbar.fabric;
  requires io.busbar.lab;
  requires io.busbar.messages;
  requires io.busbar.mpi;
  requires io.busbar.bus;
  requires io.busbar.node;
  requires io.busbar.transport;
  requires io.busbar.wire;
  requires static io.netty.buffer; // these four where Netty is
  requires static io.netty.common;
  requires static io.netty.transport;
  requires static io.netty.transport.classes.epoll;
  requires static org.jgroups; // and this one where JGroups is
  requires jdk.management;
  requires static transitive org.jspecify;

  exports io.busbar.bench;
  exports io.busbar.bench.report;
}
