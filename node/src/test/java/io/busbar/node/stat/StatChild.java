package io.busbar.node.stat;

import io.busbar.linux.Capabilities;
import io.busbar.node.NodeException;
import io.busbar.testkit.ChildJvm;
import io.busbar.wire.Blocked;
import io.busbar.wire.StatLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM: one that owns a file of counters and changes it, fills a folder, or reads a file.
 */
final class StatChild implements AutoCloseable {
  private final ChildJvm child;

  StatChild(List<String> wrapper, String deed, Path argument) {
    child = ChildJvm.start(wrapper, ChildJvm.SMALL, StatChild.class, deed, argument);
  }

  /** Runs a command without the right to open what the file's mode forbids. */
  static List<String> withoutOverride() {
    long override = 1L << 1; // CAP_DAC_OVERRIDE
    if ((Capabilities.effective().bits() & override) == 0) {
      return List.of();
    }
    String less = "-dac_override,-dac_read_search";
    return List.of("setpriv", "--bounding-set=" + less, "--inh-caps=" + less);
  }

  /** The next line that the child prints. */
  String line() throws InterruptedException {
    return child.awaitLine("", 60);
  }

  long pid() {
    return child.pid();
  }

  /** Ends it with SIGKILL, and waits until it is gone. */
  void kill() throws InterruptedException {
    child.kill();
  }

  @Override
  public void close() {
    child.close();
  }

  public static void main(String[] args) throws Exception {
    Path path = Path.of(args[1]);
    switch (args[0]) {
      case "own" -> own(path);
      case "usual" -> usual(path);
      case "fill" -> fill(path);
      case "read" -> System.out.println(StatReader.read(path));
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /** Counts rounds in a counter and in every field of a row, until it is killed. */
  private static void own(Path folder) throws InterruptedException {
    StatFile stat = StatFile.create(folder, new StatOwner(3, "child", 33, 44));
    int slot = stat.register("rounds");
    PeerRow row = stat.row(9);
    row.fabric("shm");
    row.address("shm:here");
    row.blocked(Blocked.NO_BUFFER, System.nanoTime());
    System.out.println(stat.path());
    for (long round = 1; true; round++) {
      stat.set(slot, round);
      row.begin();
      row.bytesIn(round);
      row.bytesOut(round);
      row.end();
      if (round % 1000 == 0) {
        stat.tick(System.nanoTime(), System.currentTimeMillis());
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }
  }

  /** Says where a file goes that is not told where. */
  private static void usual(Path temporary) {
    System.setProperty("java.io.tmpdir", temporary.toString());
    StatFile stat = StatFile.create(new StatOwner(1, "", 1, 1));
    stat.close(); // before it is said, because then it is killed
    System.out.println(stat.path());
  }

  private static void fill(Path folder) {
    List<StatFile> made = new ArrayList<>();
    try {
      while (true) {
        made.add(StatFile.create(folder, new StatOwner(made.size(), "", 1, 1)));
      }
    } catch (NodeException e) {
      System.out.println(e.getMessage());
    }
    System.out.println(made.size() + " " + StatReader.list(folder).size());
    for (StatFile stat : made) { // every byte has its place
      for (int peer = 0; peer < StatLayout.PEERS_MAX; peer++) {
        stat.row(peer).address("x".repeat(StatLayout.ADDRESS_BYTES));
      }
      stat.close();
    }
    System.out.println(StatReader.list(folder).size());
  }
}
