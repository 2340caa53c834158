package io.busbar.messages;

import io.busbar.node.NodeConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A JVM with two nodes in a folder of shared memory that is filled when they have joined, so that
 * there is no room for a ring between them; it says what happens when one speaks.
 */
final class CrowdedFolder {
  private static final long PATIENCE_NS = 20_000_000_000L;

  private CrowdedFolder() {}

  private static void say(String line) {
    System.out.println(line);
  }

  private static MessageEvents events() {
    return new MessageEvents() {
      @Override
      public void onWarning(String what) {
        say("warning " + what);
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
   * @param arguments meeting, folder of shared memory, after how many milliseconds there is room
   *     again; 0: never
   */
  public static void main(String[] arguments) throws Exception {
    Path shm = Path.of(arguments[1]);
    long roomMs = Long.parseLong(arguments[2]);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Messages>> joining = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        NodeConfig config =
            NodeConfig.of(Map.of())
                .withFabrics("shm")
                .withShmDirectory(shm.toString())
                .as(rank, 2, Path.of(arguments[0]));
        joining.add(threads.submit(() -> Messages.join(config, events())));
      }
      try (Messages a = joining.get(0).get();
          Messages b = joining.get(1).get()) {
        Path filler = shm.resolve("filler");
        fill(filler);
        if (roomMs > 0) {
          Future<?> _ = threads.submit(() -> makeRoom(filler, roomMs));
        }
        boolean[] heard = new boolean[1];
        Handler greet = b.handler("greet", (_, _) -> heard[0] = true);
        try {
          a.send(1, greet, 1, 2, 3, 4);
          say("heard " + b.await(() -> heard[0], PATIENCE_NS));
        } catch (MessageException e) {
          say("refused %s %s".formatted(e.mistake(), e.getMessage()));
          int _ = a.extract();
        }
      }
    }
    say("end");
  }

  private static void fill(Path filler) {
    byte[] some = new byte[4096];
    try (OutputStream out = Files.newOutputStream(filler)) {
      while (true) {
        out.write(some);
      }
    } catch (IOException e) {
      say("full");
    }
  }

  private static boolean makeRoom(Path filler, long ms) throws Exception {
    TimeUnit.MILLISECONDS.sleep(ms);
    Files.delete(filler);
    return true;
  }
}
