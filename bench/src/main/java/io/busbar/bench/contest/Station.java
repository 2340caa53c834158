package io.busbar.bench.contest;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/**
 * One of the two processes of a contender: holds one end of it, and does what it is told on
 * standard input, one line a command. It answers with one line of names and numbers. While it is
 * told nothing it waits in a read, and nothing spins.
 */
public final class Station {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();
  private static final long SETTLE_LOOK_MS = 20;
  private static final int SETTLE_LOOKS = 50;

  /** Commands after which there are round trips to tell of. */
  private static final Set<String> ASKING = Set.of("ask", "wake", "mix", "pace");

  /** How long nothing is said before the message of a {@code wake}. */
  private static final long SILENCE_MS = 1000;

  /**
   * How long who answered it does nothing: the kernel likes to wake a thread where the one runs
   * that woke it, and who asked would wait for the processor on which we keep our books.
   */
  private static final long AFTER_MS = 20;

  /** Long enough for both ends to fall asleep. */
  private static final long NAP_MS = 20;

  private final Contender contender;
  private long[] roundTripsNs = {};
  private long compiledBefore;

  private Station(Contender contender) {
    this.contender = contender;
  }

  /**
   * Runs until it is told to end.
   *
   * @param args the contender; {@code ask} or {@code answer}; its address; bytes of a datagram; a
   *     folder in memory
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Place place = new Place(args[1].equals("ask"), args[2], Integer.parseInt(args[3]), args[4]);
    try (Contender contender = Contenders.open(args[0], place);
        BufferedReader input =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      Station station = new Station(contender);
      say("opened " + contender.address());
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        if (line.equals("end")) {
          return;
        }
        say(station.obey(line.split(" ", -1)));
      }
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private String obey(String[] words) throws InterruptedException {
    if (words[0].equals("connect")) {
      contender.connect(words[1]);
      return "connected";
    }
    if (words[0].equals("settle")) {
      settle();
      return "settled";
    }
    if (words[0].equals("count")) {
      StringBuilder counted = new StringBuilder("counted 1");
      for (Map.Entry<String, Long> counter : contender.counters().entrySet()) {
        counted.append(' ').append(counter.getKey()).append(' ').append(counter.getValue());
      }
      return counted.toString();
    }
    int bytes = Integer.parseInt(words[1]);
    int count = Integer.parseInt(words[2]);
    boolean asks = ASKING.contains(words[0]);
    if (asks && roundTripsNs.length < count) {
      roundTripsNs = new long[count];
    }
    CpuTime cpu = new CpuTime();
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    long startNs = System.nanoTime();
    work(words, bytes, count);
    long tookNs = System.nanoTime() - startNs;
    allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
    long compiledMs = COMPILERS.getTotalCompilationTime() - compiledBefore;
    compiledBefore += compiledMs;
    String answer =
        "took %d allocated %d cpu %d compiled %d"
            .formatted(tookNs, allocated, cpu.passedNs(), compiledMs);
    if (!asks) {
      return answer;
    }
    Arrays.sort(roundTripsNs, 0, count);
    return "%s p50 %d p99 %d p999 %d"
        .formatted(answer, at(count, 0.5), at(count, 0.99), at(count, 0.999));
  }

  /** The round trip that this share of so many, which are sorted, does not exceed. */
  private long at(int count, double share) {
    return roundTripsNs[(int) (count * share)];
  }

  /** Waits until the compilers have nothing more to do, for a while at most. */
  private static void settle() throws InterruptedException {
    long before = -1;
    long now = COMPILERS.getTotalCompilationTime();
    for (int i = 0; i < SETTLE_LOOKS && now != before; i++) {
      Thread.sleep(SETTLE_LOOK_MS);
      before = now;
      now = COMPILERS.getTotalCompilationTime();
    }
  }

  /**
   * Asks at times that were fixed before: a question that has to wait for the answer to the former
   * is late from when it was due, and so are those behind it.
   */
  private void pace(int bytes, int count, long everyNs) {
    long[] one = new long[1];
    long startNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long dueNs = startNs + i * everyNs;
      while (System.nanoTime() < dueNs) {
        contender.turn();
      }
      contender.ask(bytes, 1, one);
      roundTripsNs[i] = System.nanoTime() - dueNs;
    }
  }

  private void work(String[] words, int bytes, int count) throws InterruptedException {
    switch (words[0]) {
      case "ask" -> contender.ask(bytes, count, roundTripsNs);
      case "answer" -> contender.answer(bytes, count);
      case "flood" -> contender.flood(bytes, count);
      case "sink" -> contender.sink(bytes, count);
      case "wake" -> {
        Thread.sleep(SILENCE_MS);
        contender.ask(bytes, count, roundTripsNs);
      }
      case "pace" -> pace(bytes, count, Long.parseLong(words[3]));
      case "nap" -> {
        for (int i = 0; i < count; i++) {
          Thread.sleep(NAP_MS);
          contender.ask(bytes, 1, new long[1]);
        }
      }
      case "awake" -> {
        contender.answer(bytes, count);
        Thread.sleep(AFTER_MS);
      }
      case "mix" -> contender.mix(Mix.parse(words), roundTripsNs);
      case "take-mix" -> contender.takeMix(Mix.parse(words));
      case "rest" -> contender.rest(count);
      default -> throw new IllegalArgumentException("no command " + words[0]);
    }
  }
}
