package io.busbar.transport;

import org.junit.jupiter.api.Test;

class DebugTest {
  @Test
  void x() {
    Pair tight = Pair.listening(builder -> builder.creditBudgetBytes(32 << 10));
    for (int i = 0; i < 40; i++) {
      tight.a.send(tight.a.open(tight.b), 20_000, i);
    }
    for (int i = 0; i < 40; i++) {
      tight.run(500 * Pair.MS);
      System.out.println(
          i
              + " "
              + tight.b.bytes.size()
              + " taken "
              + tight.b.transport.creditTakenBytes()
              + " win "
              + tight.a.transport.windowBytes(2)
              + " otw "
              + tight.a.transport.onTheirWayBytes(2)
              + " rtt "
              + tight.a.transport.roundTripNs(2));
    }
    System.out.println(tight.a.transport.counters() + "\n" + tight.b.transport.counters());
    int n = tight.sent.size();
    tight.sent.subList(Math.max(0, n - 20), n).forEach(System.out::println);
  }
}
