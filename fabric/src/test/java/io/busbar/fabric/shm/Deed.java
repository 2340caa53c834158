package io.busbar.fabric.shm;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicEvents;
import io.busbar.linux.PollSet;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** What a child process does. The folder is always the first argument. */
enum Deed {
  /** Floods an address with letters, given and inside the ring; its progress is in a file. */
  FLOOD,
  /** Floods an address with letters that are read across. */
  FLOOD_ACROSS,
  /** Keeps the first frames that it gets, says so, and takes no more. */
  HOLD,
  /** Sends every frame back, and sleeps meanwhile; a line "leave" ends it, "again" renews it. */
  ECHO,
  /** Tries to make the segment with the token that each line names, until a line is empty. */
  RACE,
  /** Opens an address and says what came of it. */
  OPEN,
  /** Makes segments in a folder that is too small for more than two, and says what came of it. */
  FILL;

  private static final BufferedReader INPUT =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

  public static void main(String[] args) throws IOException {
    ShmConfig config = Station.config(Path.of(args[1]));
    switch (valueOf(args[0])) {
      case FLOOD -> flood(config, ShmAddress.parse(args[2]), new Progress(Path.of(args[3])));
      case FLOOD_ACROSS -> floodAcross(config, ShmAddress.parse(args[2]));
      case HOLD -> hold(config, ShmAddress.parse(args[2]), Integer.parseInt(args[3]));
      case ECHO -> echo(config);
      case RACE -> race(config);
      case OPEN -> open(config, ShmAddress.parse(args[2]));
      case FILL -> fill(config, Path.of(args[1]));
    }
  }

  private static void flood(ShmConfig config, ShmAddress to, Progress progress) {
    Patience patience = new Patience();
    Station station = new Station(config);
    int peer = station.nic.open(to);
    System.out.println(station.nic.address());
    SplittableRandom random = new SplittableRandom(6);
    for (long i = 0; true; i++) {
      int length = 8 + random.nextInt(random.nextInt(4) == 0 ? 20_000 : Station.INLINE_MAX);
      progress.begins(i);
      while (station.send(peer, i, length) == Nic.FULL) {
        station.poll();
        patience.pause();
      }
      progress.done(i);
    }
  }

  private static void floodAcross(ShmConfig config, ShmAddress to) {
    Patience patience = new Patience();
    Station station = new Station(config);
    int peer = station.nic.open(to);
    MemorySegment[] letters = new MemorySegment[8];
    long[] tickets = new long[letters.length];
    for (int i = 0; i < letters.length; i++) {
      letters[i] = Arena.global().allocate(100_000);
      station.nic.register(letters[i]);
    }
    System.out.println(station.nic.address());
    for (long i = 0; true; i++) {
      int slot = (int) i % letters.length;
      while (!station.nic.isComplete(tickets[slot])) {
        station.poll();
        patience.pause();
      }
      Letter.write(letters[slot], 0, 100_000, i);
      long result = station.nic.transmit(peer, letters[slot], 0, 100_000);
      while (result == Nic.FULL) {
        station.poll();
        patience.pause();
        result = station.nic.transmit(peer, letters[slot], 0, 100_000);
      }
      tickets[slot] = Math.max(0, result);
      station.nic.flush();
    }
  }

  private static void hold(ShmConfig config, ShmAddress to, int frames) throws IOException {
    Patience patience = new Patience();
    Station station = new Station(config);
    station.claiming = true;
    System.out.println(station.nic.address());
    int peer = station.nic.open(to);
    station.send(peer, 0, 8);
    while (station.heard.size() < frames) {
      station.nic.poll(station, frames - station.heard.size());
      patience.pause();
    }
    System.out.println("holds " + station.heard.size());
    INPUT.readLine();
  }

  private static void echo(ShmConfig config) throws IOException {
    Patience patience = new Patience();
    while (true) {
      Station station = new Station(config);
      PollSet set = new PollSet(16);
      System.out.println(station.nic.address());
      while (!INPUT.ready()) {
        station.poll();
        for (Station.Heard one : station.heard) {
          while (station.send(one.peer(), one.number(), one.length()) == Nic.FULL) {
            patience.pause();
          }
        }
        station.heard.clear();
        station.nic.flush();
        if (station.nic.arm()) {
          set.clear();
          station.nic.listen(set);
          set.await(50_000_000);
        }
        station.nic.disarm();
      }
      boolean again = "again".equals(INPUT.readLine());
      station.close();
      if (!again) {
        return;
      }
    }
  }

  private static void race(ShmConfig config) throws IOException {
    System.out.println("ready");
    String line = INPUT.readLine();
    while (line != null && !line.isEmpty()) {
      try (ShmNic nic = new ShmNic(config.named(Long.parseLong(line)), NicEvents.NONE)) {
        System.out.println("won " + nic.address());
        line = INPUT.readLine();
      } catch (FabricException e) {
        System.out.println("lost: " + e.getMessage());
        line = INPUT.readLine();
      }
      System.out.println("closed");
      line = INPUT.readLine();
    }
  }

  private static void open(ShmConfig config, ShmAddress address) {
    try (Station station = new Station(config)) {
      station.nic.open(address);
      System.out.println("opened");
    } catch (FabricException e) {
      System.out.println(e.getMessage());
    }
  }

  /** Two find room, a third does not; then the last bytes are taken, and there is no ring. */
  private static void fill(ShmConfig config, Path folder) throws IOException {
    Station one = new Station(config);
    Station other = new Station(config);
    try (Station third = new Station(config)) {
      System.out.println("made " + third.nic.address());
    } catch (FabricException e) {
      System.out.println(e.getMessage());
    }
    try (Stream<Path> files = Files.list(folder)) {
      System.out.println(files.count());
    }
    int peer = one.open(other);
    Path ballast = folder.resolve("ballast");
    try (OutputStream out = Files.newOutputStream(ballast)) {
      byte[] page = new byte[4096];
      while (true) {
        out.write(page);
      }
    } catch (IOException e) {
      System.out.println(one.send(peer, 1, 8) + " " + one.send(peer, 1, 3000));
      System.out.println(one.told.size() + " " + one.told);
    }
    Files.delete(ballast);
    System.out.println(one.send(peer, 1, 8));
    other.poll();
    System.out.println(other.numbers());
    other.close();
    one.close();
  }
}
