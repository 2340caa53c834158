package io.busbar.lab.bed;

import io.busbar.bus.MemberEvent;
import io.busbar.messages.Handler;
import io.busbar.messages.InMessage;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.MessageException;
import io.busbar.messages.Messages;
import io.busbar.node.BroadcastEvent;
import io.busbar.node.Discovery;
import io.busbar.node.NodeConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A node on a segment that was told of nobody. It says what happens to its view and what it hears,
 * and does what it is told: {@code say ID}, {@code cast COUNT}, {@code sleep SECONDS}, {@code
 * size}, {@code choices}, {@code quit}.
 */
final class Resident implements MessageEvents {
  private static final long LOOK_NS = 5_000_000;
  private static final int CAST_BYTES = 1000;
  private static final long PACE_NS = 2_000_000_000;

  private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
  private final Handler hear = Handler.named("hear");
  private final Handler heed = Handler.named("heed");
  private final Map<Integer, Integer> heeded = new HashMap<>();
  private final MemorySegment bytes = Arena.ofAuto().allocate(CAST_BYTES);
  private int casts;

  private Resident() {}

  /** The line's first word, and when it was said, by the machine's clock. */
  private static void say(String what, Object... words) {
    StringBuilder line = new StringBuilder(what);
    for (Object word : words) {
      line.append(' ').append(word);
    }
    System.out.println(line.append(" @").append(System.currentTimeMillis()));
  }

  @Override
  public void onMember(MemberEvent event) {
    say(event.what().name().toLowerCase(Locale.ROOT), event.member().id());
  }

  @Override
  public void onBroadcast(BroadcastEvent event) {
    say(event.what().name().toLowerCase(Locale.ROOT), event.node(), event.from(), event.to());
    boolean goesOn =
        event.what() == BroadcastEvent.What.BEGUN || event.what() == BroadcastEvent.What.GAP;
    if (goesOn && event.group().isEmpty()) { // it heeds what is said to everyone
      heeded.put(event.node(), (int) event.to());
    }
  }

  /** Messages to all have numbers, and the last of a row says so. */
  private void heed(InMessage in, int from) throws Exception {
    int number = in.receiveInt();
    boolean last = in.receiveInt() != 0;
    int expected = heeded.getOrDefault(from, 0);
    if (number != expected) {
      say("wrong", from, number, expected);
    }
    heeded.put(from, number + 1);
    if (last) {
      say("heeded", from, number + 1);
    }
  }

  @Override
  public void onNodeGone(int node, String why) {
    say("gone", node);
  }

  private void live(NodeConfig config, int expected) throws InterruptedException {
    try (Messages fm = Messages.join(config, this)) {
      Handler _ = fm.handler("hear", (in, from) -> say("heard", from));
      Handler _ = fm.handler("heed", this::heed);
      say("joined-as", fm.node().id());
      boolean complete = false;
      for (String command = ""; !command.equals("quit"); ) {
        int _ = fm.extractOrWait(LOOK_NS);
        if (!complete && fm.node().size() == expected) {
          complete = true;
          say("complete");
        }
        String next = commands.poll();
        command = next == null ? "" : next;
        obey(fm, command.split(" ", -1));
      }
    }
    say("left-by-itself");
  }

  private void obey(Messages fm, String[] words) {
    switch (words[0]) {
      case "size" -> say("size", fm.node().size());
      case "choices" -> say("choices", fm.node().choices());
      case "say" -> {
        try {
          fm.send(Integer.parseInt(words[1]), hear, 1, 2, 3, 4);
        } catch (MessageException e) {
          say("refused", e.mistake());
        }
      }
      case "cast" -> {
        int count = Integer.parseInt(words[1]);
        for (int i = 1; i <= count; i++) {
          bytes.set(ValueLayout.JAVA_INT, 0, casts++);
          bytes.set(ValueLayout.JAVA_INT, 4, i == count ? 1 : 0);
          fm.send(Messages.EVERYONE, heed, bytes, 0, CAST_BYTES);
        }
        say("cast", casts);
      }
      case "sleep" -> {
        say("sleeps");
        long endNs = System.nanoTime() + 1_000_000_000L * Integer.parseInt(words[1]);
        for (long leftNs; (leftNs = endNs - System.nanoTime()) > 0; ) {
          LockSupport.parkNanos(leftNs); // which may end early
        }
      }
      default -> {}
    }
  }

  private void listen() {
    try (BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        commands.add(line);
      }
    } catch (IOException e) {
      commands.add("quit");
    }
  }

  /**
   * The child.
   *
   * @param arguments id, or -1 to claim one; how many are expected; carriers, or nothing
   */
  public static void main(String[] arguments) throws Exception {
    Resident resident = new Resident();
    Thread.ofPlatform().daemon().start(resident::listen);
    Discovery discovery =
        Discovery.onSegment().withId(Integer.parseInt(arguments[0])).pacing(PACE_NS);
    NodeConfig config = NodeConfig.find("segment", discovery);
    if (arguments.length > 2) {
      config = config.withFabrics(arguments[2].split(",", -1));
    }
    resident.live(config, Integer.parseInt(arguments[1]));
  }
}
