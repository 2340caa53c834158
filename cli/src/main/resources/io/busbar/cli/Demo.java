import io.busbar.messages.Handler;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.Messages;
import io.busbar.node.NodeConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/** What `busbar demo` runs: process 0 measures, the others answer. */
class Demo {
  private static final long PATIENCE_NS = 20_000_000_000L;
  private static final long EACH_NS = 800_000_000L;
  private static final long QUICK_NS = 100_000_000L;
  private static final int SHORT = 64;
  private static final int LONG = 64 << 10;
  private static final int TRIPS_MAX = 2_000_000;

  private final Messages fm;
  private final long eachNs;
  private final MemorySegment bytes = Arena.ofAuto().allocate(LONG);
  private final Handler ball;
  private final Handler drop;
  private final Handler ask;
  private final Handler end;
  private long balls;
  private long dropped;
  private boolean answered;
  private boolean ended;

  Demo(Messages fm, long eachNs) {
    this.fm = fm;
    this.eachNs = eachNs;
    ball = fm.handler("ball", (in, from) -> onBall(from));
    drop = fm.handler("drop", (in, from) -> dropped++);
    ask = fm.handler("ask", (in, from) -> onAsk(from));
    end = fm.handler("end", (in, from) -> ended = true);
  }

  public static void main(String[] args) throws Exception {
    NodeConfig config = NodeConfig.defaults();
    if (config.rank() == 0) {
      System.out.println("carrier  to      round trip   64 B messages/s   64 KB messages");
    }
    boolean quick = args[0].equals("--quick");
    for (String fabric : List.of(args).subList(quick ? 1 : 0, args.length)) {
      NodeConfig own = config.in(config.cluster() + "-" + fabric).withFabrics(fabric).found();
      try (Messages fm = Messages.join(own, MessageEvents.NONE)) {
        new Demo(fm, quick ? QUICK_NS : EACH_NS).run(fabric);
      }
    }
  }

  private void run(String fabric) throws InterruptedException {
    if (fm.node().id() > 0) {
      check(fm.await(() -> ended, fm.node().size() * PATIENCE_NS), "the end");
      return;
    }
    System.err.println("warming up over " + fabric + " …");
    for (int to = 1; to < fm.node().size(); to++) {
      warmUp(to);
    }
    for (int to = 1; to < fm.node().size(); to++) {
      System.err.println("measuring " + fabric + " to node " + to + " …");
      double trip = roundTripUs(to, eachNs);
      double rate = rate(to, SHORT);
      double bulk = rate(to, LONG) * LONG;
      System.out.printf(
          "%-7s  node %d  %7.2f us   %15s   %7.2f GB/s%n",
          fabric, to, trip, "%,d".formatted((long) rate), bulk / 1e9);
    }
    for (int to = 1; to < fm.node().size(); to++) {
      fm.send(to, end, 0, 0, 0, 0);
    }
  }

  /** Code that was never run is slow: goes on until it does not get faster, or for some time. */
  private void warmUp(int to) throws InterruptedException {
    long untilNs = System.nanoTime() + 6 * eachNs;
    double best = Double.MAX_VALUE;
    int same = 0;
    while (same < 4 && System.nanoTime() < untilNs) {
      long _ = flood(to, SHORT, eachNs / 16);
      double trip = roundTripUs(to, eachNs / 8);
      same = trip < 0.9 * best ? 0 : same + 1;
      best = Math.min(best, trip);
    }
  }

  private static void check(boolean came, String what) {
    if (!came) {
      throw new IllegalStateException(what + " did not come in time");
    }
  }

  private void onBall(int from) {
    balls++;
    if (fm.node().id() > 0) {
      fm.send(from, ball, 0, 0, 0, 0);
    }
  }

  /** All that was sent before has been taken. */
  private void onAsk(int from) {
    answered = true;
    if (fm.node().id() > 0) {
      fm.send(from, ask, 0, 0, 0, 0);
    }
  }

  private double roundTripUs(int to, long ns) throws InterruptedException {
    long[] tookNs = new long[TRIPS_MAX];
    int trips = 0;
    long beganNs = System.nanoTime();
    for (long nowNs = beganNs; nowNs - beganNs < ns && trips < TRIPS_MAX; trips++) {
      long expected = balls + 1;
      fm.send(to, ball, 0, 0, 0, 0);
      check(fm.await(() -> balls == expected, PATIENCE_NS), "an answer");
      long afterNs = System.nanoTime();
      tookNs[trips] = afterNs - nowNs;
      nowNs = afterNs;
    }
    long[] warm = Arrays.copyOfRange(tookNs, trips / 2, trips);
    Arrays.sort(warm);
    return warm[warm.length / 2] / 1000.0;
  }

  /** Messages a second, until the last one was taken; the first half of the time is to warm up. */
  private double rate(int to, int length) throws InterruptedException {
    flood(to, length, eachNs / 2);
    long beganNs = System.nanoTime();
    long sent = flood(to, length, eachNs / 2);
    return sent * 1e9 / (System.nanoTime() - beganNs);
  }

  private long flood(int to, int length, long ns) throws InterruptedException {
    long sent = 0;
    for (long beganNs = System.nanoTime(); System.nanoTime() - beganNs < ns; sent += 16) {
      for (int i = 0; i < 16; i++) {
        fm.send(to, drop, bytes, 0, length);
      }
    }
    answered = false;
    fm.send(to, ask, 0, 0, 0, 0);
    check(fm.await(() -> answered, PATIENCE_NS), "the last message");
    return sent;
  }
}
