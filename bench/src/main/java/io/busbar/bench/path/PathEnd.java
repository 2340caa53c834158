package io.busbar.bench.path;

import io.busbar.linux.ThisProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** One of the two processes of a system: does what it is told on standard input, line by line. */
public final class PathEnd {
  private PathEnd() {}

  /**
   * Runs until it is told to end.
   *
   * @param args {@code udp-nio}, {@code udp} or {@code shm}; {@code ask} or {@code answer}; its
   *     address; whether it sleeps; a folder in memory
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    try (End end = open(args);
        BufferedReader input =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      say("opened " + end.address());
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        if (line.equals("end")) {
          return;
        }
        say(obey(end, line.split(" ", -1)));
      }
    }
  }

  private static End open(String[] args) throws IOException {
    boolean asks = args[1].equals("ask");
    boolean sleeps = Boolean.parseBoolean(args[3]);
    return args[0].equals("udp-nio")
        ? new NioEnd(args[2], sleeps)
        : new MessagesEnd(args[0], args[2], asks, sleeps, args[4]);
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private static String obey(End end, String[] words) throws IOException, InterruptedException {
    if (words[0].equals("connect")) {
      end.connect(words[1]);
      return "connected " + ThisProcess.threadId();
    }
    int count = Integer.parseInt(words[1]);
    Stamps stamps = new Stamps(count, Boolean.parseBoolean(words[2]));
    long[] roundTripsNs = new long[count];
    switch (words[0]) {
      case "ask" -> end.ask(stamps, roundTripsNs, Long.parseLong(words[3]));
      case "answer" -> end.answer(stamps, count);
      default -> throw new IllegalArgumentException("no command " + words[0]);
    }
    stamps.write(Path.of(words[4]));
    Arrays.sort(roundTripsNs);
    return "ran " + roundTripsNs[count / 2];
  }
}
