/** Fast Messages: a message names the handler that takes it. */
module io.busbar.messages {
  requires transitive io.busbar.node;
  requires static transitive org.jspecify;

  exports io.busbar.messages;
}
