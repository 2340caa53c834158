package io.busbar.lab.conformance;

import io.busbar.fabric.FrameReceiver;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** What happens while frames are delivered. */
final class ReceivingChecks {
  private static final int FRAMES = 10;
  private static final int BYTES = 64;
  private static final int ECHOES = 200;

  private ReceivingChecks() {}

  /** The receiver has a trouble of its own. */
  private static final class Trouble extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  static void budget(Trial t) {
    Station[] stations = t.connected(2);
    Station from = stations[0];
    Station to = stations[1];
    to.listens = false;
    for (int budget : new int[] {1, 3, FRAMES, 1000}) {
      long first = t.send(from, to, BYTES);
      for (int i = 1; i < FRAMES; i++) {
        t.send(from, to, BYTES);
      }
      List<Long> came = new ArrayList<>();
      FrameReceiver receiver =
          (peer, memory, offset, length, frame) -> came.add(Probe.number(memory, offset));
      t.quiet();
      t.require(to.poll(receiver, 0) == 0, "poll without a budget delivers");
      t.await(
          () -> {
            to.poll(receiver, budget);
            return came.size() >= FRAMES;
          },
          "with a budget of %d not all of %d frames came",
          budget,
          FRAMES);
      for (int i = 0; i < FRAMES; i++) {
        t.require(
            came.size() == FRAMES && came.contains(first + i),
            "with a budget of %d other frames came than were sent",
            budget);
      }
    }
  }

  static void insideADelivery(Trial t) {
    Station[] stations = t.connected(2);
    Station from = stations[0];
    Station to = stations[1];
    pollIsRefused(t, from, to);
    for (int i = 0; i < ECHOES; i++) {
      echo(t, from, to, (i & 1) == 0);
    }
    troubleOfTheReceiver(t, from, to);
    t.exchange(from, to, BYTES);
    t.exchange(to, from, BYTES);
    t.quiet();
  }

  private static void pollIsRefused(Trial t, Station from, Station to) {
    t.send(from, to, BYTES);
    receive(
        t,
        to,
        (peer, memory, offset, length, frame) ->
            t.requireRefused(
                "poll inside a delivery",
                () -> to.nic.poll((p, m, o, l, f) -> {}, 1),
                IllegalStateException.class));
  }

  /** The frame goes back from where it lies, or is written in place. */
  private static void echo(Trial t, Station from, Station to, boolean inPlace) {
    long number = t.send(from, to, BYTES);
    int back = to.peer(from);
    receive(
        t,
        to,
        (peer, memory, offset, length, frame) -> {
          long result;
          if (inPlace) {
            result = to.nic.reserve(back, length);
            MemorySegment.copy(memory, offset, to.nic.transmitMemory(), result, length);
            to.nic.commit(length);
          } else {
            result = to.nic.transmit(back, memory, offset, length);
          }
          t.require(result >= 0, "a frame sent by a receiver was refused with %d", result);
        });
    t.await(() -> !from.letters.isEmpty(), "the echo of frame %d never came", number);
    Station.Letter letter = from.letters.remove();
    t.require(
        letter.peer() == from.peer(to)
            && Probe.matches(letter.bytes(), 0, BYTES, from.index, number),
        "the echo of frame %d came changed",
        number);
  }

  /** Lets time pass until one frame has come to this receiver. */
  static void receive(Trial t, Station to, FrameReceiver receiver) {
    to.listens = false;
    int[] count = new int[1];
    t.await(() -> (count[0] += to.poll(receiver, 1)) > 0, "a frame never came");
    to.listens = true;
  }

  private static void troubleOfTheReceiver(Trial t, Station from, Station to) {
    Trouble trouble = new Trouble();
    to.listens = false;
    t.send(from, to, BYTES);
    long second = t.send(from, to, BYTES);
    long third = t.send(from, to, BYTES);
    boolean[] caught = new boolean[1];
    t.await(
        () -> {
          try {
            to.nic.poll(
                (peer, memory, offset, length, frame) -> {
                  throw trouble;
                },
                FRAMES);
          } catch (Trouble e) {
            caught[0] = true;
          }
          return caught[0];
        },
        "what a receiver throws does not come out of poll");
    to.listens = true;
    t.expect(to, from, second, BYTES);
    t.expect(to, from, third, BYTES);
  }
}
