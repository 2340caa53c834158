package io.busbar.cli;

import io.busbar.node.stat.PeerRow;
import io.busbar.node.stat.StatFile;
import io.busbar.node.stat.StatOwner;
import io.busbar.wire.Blocked;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A process that owns a file of counters, to look at: it counts until it is killed. */
final class StatOwnerMain {
  private StatOwnerMain() {}

  public static void main(String[] args) throws InterruptedException {
    StatFile stat = StatFile.create(Path.of(args[0]), new StatOwner(3, "child", 0x33, 0x44));
    int rounds = stat.register("rounds");
    PeerRow row = stat.row(9);
    row.fabric("shm");
    row.address("shm:here");
    row.blocked(Blocked.NO_CREDIT, System.nanoTime());
    row.roundTripNs(1500);
    stat.row(10).gone();
    System.out.println(stat.path());
    while (true) {
      stat.add(rounds, 1);
      row.sent(1000);
      stat.tick(System.nanoTime(), System.currentTimeMillis());
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }
}
