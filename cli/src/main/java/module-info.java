/**
 * The command {@code busbar}. A program that {@code busbar run} starts sees the rooms that this
 * module requires, so it requires all of them.
 */
module io.busbar.cli {
  requires info.picocli;
  requires io.busbar.bench;
  requires io.busbar.bus;
  requires io.busbar.fabric;
  requires io.busbar.lab;
  requires io.busbar.linux;
  requires io.busbar.messages;
  requires io.busbar.mpi;
  requires io.busbar.node;
  requires io.busbar.wire;
  requires java.compiler;
  requires static org.jspecify;

  opens io.busbar.cli to
      info.picocli;
}
