package io.busbar.bench.contest;

import java.util.LinkedHashMap;
import java.util.Map;

/** How those peers are set up whose setup is the same in all experiments. */
public final class PeerSetups {
  private PeerSetups() {}

  /** All of them in words, by system. */
  public static Map<String, String> all(boolean betweenHosts) {
    Map<String, String> setups = new LinkedHashMap<>();
    setups.put(
        "netty-epoll",
        "TCP over epoll; one event loop, which polls while a run lasts and does all of it; no"
            + " checks of bounds; floods are flushed 64 messages at a time");
    setups.put(
        "jgroups",
        "TCP, UNICAST3, UFC; round trips in the receiver's upcall and not bundled; floods bundled");
    setups.put("open-mpi", MpiJob.OPEN.setup(betweenHosts));
    setups.put("mpich", MpiJob.MPICH.setup(betweenHosts));
    setups.put("mpj-express", "Debian's libmpj-java, niodev; standard sends");
    return setups;
  }
}
