package io.busbar.bench.crowd;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** The program of one process of a crowd: does what it is told on standard input. */
public final class Member {
  private static final int ROUND_TRIPS_MAX = 1 << 18;

  private final End end;
  private final int size;
  private final long[] roundTripsNs = new long[ROUND_TRIPS_MAX];

  private Member(End end, int size) {
    this.end = end;
    this.size = size;
  }

  /**
   * Runs until it is told to end.
   *
   * @param args {@code messages} or {@code tcp}; its rank; how many there are; its address; a
   *     folder in memory
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    try (End end = open(args);
        BufferedReader input =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      Member member = new Member(end, Integer.parseInt(args[2]));
      say("opened " + end.address());
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        if (line.equals("end")) {
          return;
        }
        say(member.obey(line.split(" ", -1)));
      }
    }
  }

  private static End open(String[] args) throws IOException {
    int rank = Integer.parseInt(args[1]);
    int size = Integer.parseInt(args[2]);
    return switch (args[0]) {
      case "messages" -> new MessagesEnd(rank, size, args[3], Path.of(args[4]));
      case "tcp" -> new TcpEnd(rank, size, args[3]);
      default -> throw new IllegalArgumentException("no crowd of " + args[0]);
    };
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private String obey(String[] words) throws IOException, InterruptedException {
    if (words[0].equals("connect")) {
      end.connect(words[1].split(",", -1));
      return "connected";
    }
    int bytes = Integer.parseInt(words[1]);
    long startNs = System.nanoTime();
    int noted = 0;
    long fair = 0;
    switch (words[0]) {
      case "ask" -> noted = end.ask(bytes, Long.parseLong(words[2]), roundTripsNs);
      case "flood" -> end.flood(bytes, Integer.parseInt(words[2]));
      case "take" -> {
        Tally tally =
            new Tally(
                size,
                Integer.parseInt(words[3]),
                Long.parseLong(words[4]),
                Integer.parseInt(words[5]),
                System::nanoTime);
        end.take(bytes, Integer.parseInt(words[2]), tally);
        fair = tally.fairPercent();
      }
      default -> throw new IllegalArgumentException("no command " + words[0]);
    }
    String took = "took %d fair %d".formatted(System.nanoTime() - startNs, fair);
    if (noted == 0) {
      return took;
    }
    Arrays.sort(roundTripsNs, 0, noted);
    return "%s n %d p50 %d p99 %d"
        .formatted(took, noted, roundTripsNs[noted / 2], roundTripsNs[(int) (noted * 0.99)]);
  }
}
