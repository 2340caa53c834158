package io.busbar.bench.broadcast;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The program of one process of a broadcast: does what it is told on standard input. */
public final class CastMember {
  private static final long TICK_NS = 10_000_000;
  private static final int USER = 11;
  private static final int SYSTEM = 12;

  private final String[] args;
  private Voice voice;

  private CastMember(String[] args) {
    this.args = args;
    this.voice = open();
  }

  /**
   * Runs until it is told to end.
   *
   * @param args {@code busbar} or {@code jgroups}; its rank; how many there are; its address; the
   *     carriers; the group's name
   */
  public static void main(String[] args) throws Exception {
    CastMember member = new CastMember(args);
    try (BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      say("opened");
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        if (line.equals("end")) {
          break;
        }
        member.obey(line.split(" ", -1));
      }
    }
    member.voice.close();
  }

  private Voice open() {
    int rank = Integer.parseInt(args[1]);
    int size = Integer.parseInt(args[2]);
    return switch (args[0]) {
      case "busbar" -> new BusbarVoice(rank, size, args[3], args[4], args[5]);
      case "jgroups" -> new JgroupsVoice(rank, size, args[3], args[5]);
      default -> throw new IllegalArgumentException("no broadcast of " + args[0]);
    };
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private void obey(String[] words) throws Exception {
    long startNs = System.nanoTime();
    switch (words[0]) {
      case "join" -> voice.join();
      case "leave" -> {
        voice.close();
        voice = open();
      }
      case "watch" -> voice.awaitDeath();
      case "take" -> {
        voice.expect(Integer.parseInt(words[1]));
        say("ready");
        voice.take();
      }
      case "send" -> {
        send(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        return;
      }
      default -> throw new IllegalArgumentException("no command " + words[0]);
    }
    say("took %d".formatted(System.nanoTime() - startNs));
  }

  private void send(int count, int bytes) throws Exception {
    long[] before = cpuNs();
    String counted = voice.counted();
    long startNs = System.nanoTime();
    voice.send(count, bytes);
    long tookNs = System.nanoTime() - startNs;
    long[] after = cpuNs();
    say(
        "took %d user %d system %d before %s after %s"
            .formatted(
                tookNs, after[0] - before[0], after[1] - before[1], counted, voice.counted()));
  }

  /** What this process has run so far, in user's code and in the kernel. */
  private static long[] cpuNs() throws IOException {
    String text = Files.readString(Path.of("/proc/self/stat"));
    String[] words = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
    return new long[] {
      TICK_NS * Long.parseLong(words[USER]), TICK_NS * Long.parseLong(words[SYSTEM])
    };
  }
}
