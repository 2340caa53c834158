package io.busbar.messages;

import io.busbar.node.NodeConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A node in a JVM of its own: it does what it is told in lines, and says what happens. */
final class Member {
  private static final long HOUR_NS = 3_600_000_000_000L;

  private final Messages fm;
  private final Talk talk;

  private Member(NodeConfig config) throws InterruptedException {
    fm = Messages.join(config, events());
    talk = new Talk(fm);
  }

  private static void say(String line) {
    System.out.println(line);
  }

  private static MessageEvents events() {
    return new MessageEvents() {
      @Override
      public void onHandlerFailed(Handler handler, int from, long bytes, Throwable why) {
        say("failed %s %d %d %s".formatted(handler.name(), from, bytes, why.getMessage()));
      }

      @Override
      public void onNodeGone(int node, String why) {
        say("gone %d %s".formatted(node, why));
      }
    };
  }

  /**
   * The child.
   *
   * @param arguments rank, size, meeting, carriers, folder of shared memory
   */
  public static void main(String[] arguments) throws Exception {
    NodeConfig config =
        NodeConfig.of(Map.of())
            .as(
                Integer.parseInt(arguments[0]),
                Integer.parseInt(arguments[1]),
                Path.of(arguments[2]))
            .withFabrics(arguments[3].split(",", -1))
            .withShmDirectory(arguments[4]);
    Member member = new Member(config);
    say("joined");
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      member.obey(line.split(" ", -1));
    }
    Runtime.getRuntime().halt(1); // the parent is gone
  }

  private void obey(String[] words) throws Exception {
    switch (words[0]) {
      case "extract" -> start(() -> fm.await(() -> false, HOUR_NS));
      case "stream" -> start(() -> talk.stream(Integer.parseInt(words[1])));
      case "long" -> {
        long bytes = words.length > 2 ? Long.parseLong(words[2]) : Long.MAX_VALUE;
        start(() -> talk.streamLong(Integer.parseInt(words[1]), bytes));
      }
      case "enough" -> talk.enough();
      case "report" -> report(Integer.parseInt(words[1]));
      case "mark" -> start(() -> mark(Integer.parseInt(words[1]), Long.parseLong(words[2])));
      case "warm" -> {
        Pause.warmUp();
        say("warm");
      }
      case "pause" -> say("paused " + TimeUnit.NANOSECONDS.toMillis(Pause.of(nanos(words[1]))));
      case "rss" -> say("rss " + rssKb());
      case "leave" -> {
        fm.close();
        say("left");
        System.exit(0);
      }
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  private static long nanos(String seconds) {
    return TimeUnit.SECONDS.toNanos(Long.parseLong(seconds));
  }

  private interface Deed {
    void run() throws Exception;
  }

  private static void start(Deed deed) {
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                deed.run();
                say("done");
              } catch (MessageException e) {
                say("refused " + e.mistake() + " " + e.getMessage());
              } catch (Exception e) {
                say("failed " + e);
              }
            });
  }

  private void report(int node) {
    say(
        "report heard %d sent %d longHeard %d longSent %d longEnds %d faults %s"
            .formatted(
                talk.heard.get(node),
                talk.sent.get(node),
                talk.longHeard.get(node),
                talk.longSent.get(node),
                talk.longEnds.get(node),
                talk.faults));
  }

  /** Says when so many bytes of long messages have come, and what memory is in use then. */
  private void mark(int node, long bytes) throws Exception {
    while (talk.longHeard.get(node) < bytes) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    say("mark %d rss %d".formatted(bytes, rssKb()));
  }

  private static long rssKb() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .map(line -> line.replaceAll("[^0-9]", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow();
  }
}
