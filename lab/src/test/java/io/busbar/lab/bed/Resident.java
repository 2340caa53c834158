package io.busbar.lab.bed;

import io.busbar.messages.Handler;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.MessageException;
import io.busbar.messages.Messages;
import io.busbar.node.Discovery;
import io.busbar.node.MemberEvent;
import io.busbar.node.NodeConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A node on a segment that was told of nobody. It says what happens to its view and what it hears,
 * and does what it is told: {@code say ID}, {@code size}, {@code quit}.
 */
final class Resident implements MessageEvents {
  private static final long LOOK_NS = 5_000_000;

  private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
  private final Handler hear = Handler.named("hear");

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
  public void onNodeGone(int node, String why) {
    say("gone", node);
  }

  private void live(NodeConfig config, int expected) throws InterruptedException {
    try (Messages fm = Messages.join(config, this)) {
      Handler _ = fm.handler("hear", (in, from) -> say("heard", from));
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
      case "say" -> {
        try {
          fm.send(Integer.parseInt(words[1]), hear, 1, 2, 3, 4);
        } catch (MessageException e) {
          say("refused", e.mistake());
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
    Discovery discovery = Discovery.onSegment().withId(Integer.parseInt(arguments[0]));
    NodeConfig config = NodeConfig.find("segment", discovery);
    if (arguments.length > 2) {
      config = config.withFabrics(arguments[2].split(",", -1));
    }
    resident.live(config, Integer.parseInt(arguments[1]));
  }
}
