/** Every system call and kernel structure, and nothing else. */
module io.busbar.linux {
  requires static org.jspecify;

  exports io.busbar.linux;
}
