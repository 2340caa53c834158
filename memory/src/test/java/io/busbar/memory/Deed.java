package io.busbar.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.busbar.linux.MemoryFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What a {@link ChildJvm} does. */
enum Deed {
  /** Makes files of given sizes, and writes to every page of those it gets: (PATH BYTES) ... */
  MAKE {
    @Override
    void run(List<String> arguments) {
      for (int i = 0; i < arguments.size(); i += 2) {
        String path = arguments.get(i);
        long bytes = Long.parseLong(arguments.get(i + 1));
        // Not closed: the file stays, and takes its place.
        report(() -> ResidentMemory.create(path, bytes, Pinning.none()));
      }
    }
  },
  /** Makes a file with a hole of a given size, and maps it: PATH BYTES. */
  MAP_A_HOLE {
    @Override
    void run(List<String> arguments) {
      long bytes = Long.parseLong(arguments.get(1));
      try (MemoryFile file = MemoryFile.create(arguments.get(0))) {
        file.resize(bytes);
      }
      report(() -> ResidentMemory.open(arguments.get(0), bytes, Pinning.none()));
    }
  },
  /** Pins memory of given sizes, and says what it was told: BYTES ... */
  PIN {
    @Override
    void run(List<String> arguments) {
      Pinning pinning = Pinning.orWarn(what -> System.out.println("warning: " + what));
      for (String bytes : arguments) {
        System.out.println(ResidentMemory.ofProcess(Long.parseLong(bytes), pinning).isPinned());
      }
    }
  },
  /** Joins a pool behind a page of its own, takes two blocks, and waits for its end: PATH. */
  JOIN {
    @Override
    void run(List<String> arguments) throws IOException {
      PoolLayout layout = new PoolLayout(1, 4096);
      try (ResidentMemory memory =
          ResidentMemory.open(arguments.get(0), 4096 + layout.bytes(), Pinning.none())) {
        MemorySegment segment = memory.segment();
        segment.set(JAVA_LONG, 0, segment.get(JAVA_LONG, 0) + 1);
        try (Participants participants = new Participants(memory.file(), 0)) {
          Pool pool = participants.join(layout, segment.asSlice(4096));
          pool.allocate(2 * 4096, Role.APPLICATION);
          System.out.println(pool.participant());
          waitForTheEnd();
        }
      }
    }
  },
  /** Uses a shared pool until it is killed: PATH PARTICIPANT SEED. */
  LIVE {
    @Override
    void run(List<String> arguments) {
      int participant = Integer.parseInt(arguments.get(1));
      long seed = Long.parseLong(arguments.get(2));
      try (ResidentMemory memory =
          ResidentMemory.open(arguments.get(0), Life.BYTES, Pinning.none())) {
        Participants participants = new Participants(memory.file(), 0);
        Pool pool = participants.join(participant, Life.LAYOUT, Life.poolOf(memory.segment()));
        Life life = new Life(memory.segment(), pool, seed);
        while (participants.isAlive(Life.SURVIVOR)) {
          for (int i = 0; i < 1_000; i++) {
            life.step();
          }
        }
      }
    }
  };

  abstract void run(List<String> arguments) throws IOException;

  public static void main(String[] arguments) throws IOException {
    List<String> rest = new ArrayList<>(List.of(arguments));
    valueOf(rest.removeFirst()).run(rest);
  }

  private static void report(Supplier<ResidentMemory> making) {
    try {
      MemorySegment segment = making.get().segment();
      for (long at = 0; at < segment.byteSize(); at += 4096) {
        segment.set(JAVA_LONG, at, at);
      }
      System.out.println("made, and every page of " + segment.byteSize() + " bytes written");
    } catch (RuntimeException e) {
      System.out.println(e.getMessage());
    }
  }

  private static void waitForTheEnd() throws IOException {
    while (System.in.read() >= 0) {
      // until the parent ends, or kills this process
    }
  }
}
