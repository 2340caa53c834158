package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.node.Discovery;
import io.busbar.node.NodeConfig;
import io.busbar.testkit.AllocationMeter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages to everyone: each other node hears them, whatever their length, in order and once. */
@Timeout(60)
class BroadcastTest extends Segment {
  private static final Handler ALL = Handler.named("all");
  private static final int[] LENGTHS = {8, 64, 1_000, 1_440, 5_000, 60_000, 70_000, 300_000};

  /** What a node heard of each sender. */
  private final Map<Guest, Map<Integer, List<Integer>>> heard = new ConcurrentHashMap<>();

  private final List<String> wrong = new ArrayList<>();

  private List<Guest> joined(int nodes, Discovery discovery, String fabrics) throws Exception {
    NodeConfig config = config("all", discovery.expecting(nodes), fabrics.split(",", -1));
    List<Guest> all = joinAtOnce(IntStream.range(0, nodes).mapToObj(i -> config).toList());
    for (Guest one : all) {
      Map<Integer, List<Integer>> by = new ConcurrentHashMap<>();
      heard.put(one, by);
      Handler _ = one.messages.handler("all", (in, from) -> hear(by, in, from));
    }
    return all;
  }

  private void hear(Map<Integer, List<Integer>> by, InMessage in, int from) throws Exception {
    int number = in.receiveInt();
    List<Integer> of = by.computeIfAbsent(from, id -> new ArrayList<>());
    synchronized (of) {
      of.add(number);
    }
    byte[] rest = in.receiveRest();
    for (int i = 0; i < rest.length; i++) {
      if (rest[i] != (byte) (i + number)) {
        synchronized (wrong) {
          wrong.add("byte %d of message %d of %d".formatted(i, number, from));
        }
        return;
      }
    }
  }

  private static void say(Guest by, int to, int number, int length) {
    byte[] bytes = new byte[length];
    for (int i = 4; i < length; i++) {
      bytes[i] = (byte) (i - 4 + number);
    }
    MemorySegment message = MemorySegment.ofArray(bytes);
    message.set(ValueLayout.JAVA_INT_UNALIGNED, 0, number);
    by.messages.send(to, ALL, message, 0, length);
  }

  private int count(Guest by, Guest of) {
    List<Integer> numbers = heard.getOrDefault(by, Map.of()).get(of.id());
    if (numbers == null) {
      return 0;
    }
    synchronized (numbers) {
      return numbers.size();
    }
  }

  /** What is said to all costs its sender's heap nothing: the thread that sends also drives. */
  @Test
  void whatIsSaidToAllCostsNothing() throws Exception {
    List<Guest> all = joined(2, segment(), "udp");
    Guest speaker = all.get(0);
    MemorySegment message = MemorySegment.ofArray(new byte[64]);
    Runnable talk =
        () -> {
          for (int i = 0; i < 5_000; i++) {
            speaker.messages.send(Messages.EVERYONE, HEAR, message, 0, 64);
          }
        };
    new AllocationMeter().assertLoopAllocatesNothing(talk);
  }

  /** Their handlers begin in order, too, but wait for the first bytes while others run. */
  private static boolean isLong(int number) {
    return LENGTHS[number % LENGTHS.length] > Messages.WHOLE_BYTES_MAX;
  }

  private void checkAllHeard(List<Guest> all, int messages) throws Exception {
    for (Guest by : all) {
      for (Guest of : all) {
        if (!by.equals(of)) {
          awaitThat(
              "%d hears all of %d".formatted(by.id(), of.id()), () -> count(by, of) == messages);
          List<Integer> numbers =
              Objects.requireNonNull(heard.getOrDefault(by, Map.of()).get(of.id()));
          assertThat(numbers).doesNotHaveDuplicates();
          assertThat(numbers.stream().filter(number -> !isLong(number)))
              .as("whole messages of %d at %d", of.id(), by.id())
              .isSorted();
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"udp", "shm,udp"})
  void allSpeakAtOnceAndAllHearAll(String fabrics) throws Exception {
    List<Guest> all = joined(4, segment(), fabrics);
    int messages = 400;
    List<Future<?>> speaking = new ArrayList<>();
    for (Guest one : all) {
      speaking.add(
          pool.submit(
              () -> {
                for (int i = 0; i < messages; i++) {
                  say(one, Messages.EVERYONE, i, LENGTHS[i % LENGTHS.length]);
                }
              }));
    }
    for (Future<?> one : speaking) {
      Object _ = one.get();
    }
    checkAllHeard(all, messages);
    for (Guest one : all) {
      assertThat(one.told).noneMatch(line -> line.startsWith("GAP") || line.contains("EVICTED"));
    }
  }

  @Test
  void seedsAreEnough() throws Exception {
    Discovery none = segment().withSeeds(List.of("127.0.0.1:" + port)).withGroup("");
    List<Guest> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      NodeConfig config = NodeConfig.find("seeds", none.withPort(port)).withHost("127.0.0.1");
      Guest guest = join(config.withFabrics("udp"));
      all.add(guest);
      Map<Integer, List<Integer>> by = new ConcurrentHashMap<>();
      heard.put(guest, by);
      Handler _ = guest.messages.handler("all", (in, from) -> hear(by, in, from));
    }
    for (Guest one : all) {
      awaitThat("three members", () -> one.messages.node().size() == 3);
    }
    for (Guest one : all) {
      IntStream.range(0, 100).forEach(i -> say(one, Messages.EVERYONE, i, 2_000));
    }
    checkAllHeard(all, 100);
  }

  @Test
  void aGroupHearsWhatIsForItAlone() throws Exception {
    List<Guest> inside = joined(2, segment().inGroups("red", "blue"), "udp");
    Guest outside = join(config("all", segment().expecting(3), "udp"));
    Guest speaker = inside.get(0);
    Guest reader = inside.get(1);
    awaitThat("three members", () -> speaker.messages.node().size() == 3);
    Map<Integer, List<Integer>> by = new ConcurrentHashMap<>();
    heard.put(outside, by);
    Handler _ = outside.messages.handler("all", (in, from) -> hear(by, in, from));
    int red = speaker.messages.group("red");
    IntStream.range(0, 50).forEach(i -> say(speaker, red, i, 500));
    awaitThat("the group hears it", () -> count(reader, speaker) == 50);
    say(speaker, Messages.EVERYONE, 0, 500);
    awaitThat("everyone hears this", () -> count(outside, speaker) == 1);
    assertThat(count(reader, speaker)).isBetween(50, 51);
  }

  /** It is told what it has missed, and hears the rest. */
  @Test
  void whoTakesNothingIsEvicted() throws Exception {
    List<Guest> all = joined(3, segment().pacing(SECOND_NS / 2), "udp");
    Guest speaker = all.get(0);
    Guest sleeper = all.get(1);
    Guest reader = all.get(2);
    say(speaker, Messages.EVERYONE, 0, 1_000);
    awaitThat("the first", () -> count(sleeper, speaker) == 1 && count(reader, speaker) == 1);
    sleeper.sleeps = true;
    IntStream.range(1, 4_000).forEach(i -> say(speaker, Messages.EVERYONE, i, 1_000));
    awaitThat("the others go on", () -> count(reader, speaker) == 4_000);
    assertThat(speaker.told).anyMatch(line -> line.startsWith("READER_EVICTED " + sleeper.id()));
    sleeper.sleeps = false;
    awaitThat(
        "it is told",
        () -> sleeper.told.stream().anyMatch(line -> line.startsWith("GAP " + speaker.id())));
    say(speaker, Messages.EVERYONE, 4_000, 1_000);
    List<Integer> numbers =
        Objects.requireNonNull(heard.getOrDefault(sleeper, Map.of()).get(speaker.id()));
    awaitThat("it goes on", () -> numbers.contains(4_000));
    String gap = sleeper.told.stream().filter(line -> line.startsWith("GAP")).findFirst().get();
    int from = Integer.parseInt(gap.split(" ", -1)[2]);
    int to = Integer.parseInt(gap.split(" ", -1)[3]);
    List<Integer> expected = new ArrayList<>(IntStream.range(0, from).boxed().toList());
    expected.addAll(IntStream.range(to, 4_001).boxed().toList());
    assertThat(numbers).as("all but the gap %s", gap).isEqualTo(expected);
    assertThat(reader.told).noneMatch(line -> line.startsWith("GAP"));
  }

  /** Two hear both what is for everyone and what is for a group; of one of them too little. */
  @Test
  void anEventSaysWhichBroadcastsItIsAbout() throws Exception {
    List<Guest> both = joined(2, segment().inGroups("red").pacing(SECOND_NS / 2), "udp");
    Guest speaker = both.get(0);
    Guest sleeper = both.get(1);
    int red = speaker.messages.group("red");
    say(speaker, Messages.EVERYONE, 0, 1_000);
    say(speaker, red, 1, 1_000);
    awaitThat("the first of each", () -> count(sleeper, speaker) == 2);
    sleeper.sleeps = true;
    IntStream.range(2, 4_000).forEach(i -> say(speaker, red, i, 1_000));
    sleeper.sleeps = false;
    awaitThat("it is told", () -> sleeper.told.stream().anyMatch(e -> e.startsWith("GAP")));
    say(speaker, red, 4_000, 1_000);
    say(speaker, Messages.EVERYONE, 4_001, 1_000);
    List<Integer> numbers =
        Objects.requireNonNull(heard.getOrDefault(sleeper, Map.of()).get(speaker.id()));
    awaitThat("it goes on", () -> numbers.contains(4_000) && numbers.contains(4_001));
    assertThat(broadcastEvents(sleeper, "BEGUN"))
        .containsExactlyInAnyOrder(
            "BEGUN %d 0 0".formatted(speaker.id()), "BEGUN %d 0 0 red".formatted(speaker.id()));
    for (String what : List.of("EVICTED", "GAP")) {
      assertThat(broadcastEvents(sleeper, what))
          .as(what)
          .isNotEmpty()
          .allMatch(event -> event.endsWith(" red"));
    }
    assertThat(broadcastEvents(speaker, "READER_EVICTED"))
        .isNotEmpty()
        .allMatch(event -> event.endsWith(" red"));
  }

  private static List<String> broadcastEvents(Guest of, String what) {
    return of.told.stream().filter(event -> event.startsWith(what + " ")).toList();
  }

  @Test
  void whoComesLateHearsWhatFollows() throws Exception {
    List<Guest> all = joined(2, segment(), "udp");
    Guest speaker = all.get(0);
    IntStream.range(0, 500).forEach(i -> say(speaker, Messages.EVERYONE, i, 3_000));
    Guest late = join(config("all", segment().expecting(3), "udp"));
    Map<Integer, List<Integer>> by = new ConcurrentHashMap<>();
    heard.put(late, by);
    Handler _ = late.messages.handler("all", (in, from) -> hear(by, in, from));
    awaitThat(
        "it begins",
        () -> late.told.stream().anyMatch(line -> line.startsWith("BEGUN " + speaker.id())));
    String begun =
        late.told.stream().filter(l -> l.startsWith("BEGUN " + speaker.id())).findFirst().get();
    IntStream.range(500, 600).forEach(i -> say(speaker, Messages.EVERYONE, i, 3_000));
    int first = Integer.parseInt(begun.split(" ", -1)[2]);
    awaitThat("all that follows", () -> count(late, speaker) == 600 - first);
    assertThat(by.get(speaker.id())).isEqualTo(IntStream.range(first, 600).boxed().toList());
    assertThat(first).isEqualTo(500);
  }
}
