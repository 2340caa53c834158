/** The command {@code busbar}. */
module io.busbar.cli {
  requires info.picocli;
  requires io.busbar.bench;
  requires io.busbar.fabric;
  requires io.busbar.lab;
  requires io.busbar.node;
  requires io.busbar.wire;
  requires static org.jspecify;

  opens io.busbar.cli to
      info.picocli;
}
