package io.busbar.fabric.modes;

import static io.busbar.fabric.modes.Channel.PAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.Nic;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transfer redirection (C14): straight to where a buffer is posted, buffered otherwise. */
@Timeout(60)
class RedirectionTest {
  private final Channel channel = new Channel();
  private final ModeSender sender = channel.sender;
  private final ModeReceiver receiver = channel.receiver;

  @AfterEach
  void close() {
    channel.close();
  }

  private long send(SendMode mode, long length, int message) {
    MemorySegment from = channel.from(mode);
    Channel.fill(from, 0, length, message);
    return sender.send(mode, from, 0, length);
  }

  @ParameterizedTest
  @EnumSource
  void postedBuffersAreFilledInOrder(ReceiveMode mode) {
    MemorySegment into = channel.into(mode);
    long first = receiver.post(mode, into, 0, PAGE);
    long second = receiver.post(mode, into, 2L * PAGE, PAGE);
    assertThat(receiver.poll()).isZero();
    assertThat(receiver.bytes(first)).isEqualTo(ModeReceiver.PENDING);
    assertThat(send(SendMode.COPY, 100, 1)).isEqualTo(Nic.DONE);
    assertThat(send(SendMode.VIRTUAL, PAGE, 2)).isPositive();
    assertThat(receiver.poll()).isEqualTo(2);
    assertThat(receiver.bytes(first)).isEqualTo(100);
    assertThat(receiver.bytes(second)).isEqualTo(PAGE);
    Channel.check(into, 0, 100, 1, mode);
    Channel.check(into, 2L * PAGE, PAGE, 2, mode);
  }

  /** A sender that copies writes into a posted buffer of shared memory: it is there before poll. */
  @Test
  void copyLandsInThePostedBuffer() {
    MemorySegment inbound = channel.into(ReceiveMode.DIRECT);
    long ticket = receiver.post(ReceiveMode.DIRECT, inbound, 0, PAGE);
    assertThat(send(SendMode.COPY, PAGE, 1)).isEqualTo(Nic.DONE);
    Channel.check(inbound, 0, PAGE, 1, "before poll");
    assertThat(receiver.bytes(ticket)).isEqualTo(ModeReceiver.PENDING);
    assertThat(receiver.poll()).isEqualTo(1);
    assertThat(receiver.bytes(ticket)).isEqualTo(PAGE);
  }

  /** A message in front that was buffered has the oldest buffer, whatever comes behind it. */
  @Test
  void theOldestMessageHasTheOldestBuffer() {
    MemorySegment inbound = channel.into(ReceiveMode.DIRECT);
    assertThat(send(SendMode.COPY, 64, 1)).isEqualTo(Nic.DONE);
    long first = receiver.post(ReceiveMode.DIRECT, inbound, 0, PAGE);
    long second = receiver.post(ReceiveMode.DIRECT, inbound, PAGE, PAGE);
    assertThat(send(SendMode.COPY, 128, 2)).isEqualTo(Nic.DONE);
    assertThat(receiver.poll()).isEqualTo(2);
    assertThat(receiver.bytes(first)).isEqualTo(64);
    assertThat(receiver.bytes(second)).isEqualTo(128);
    Channel.check(inbound, 0, 64, 1, "first");
    Channel.check(inbound, PAGE, 128, 2, "second");
  }

  /** What does not fit is not cut and not lost: it waits, and is asked for. */
  @Test
  void whatDoesNotFitWaits() {
    MemorySegment inbound = channel.into(ReceiveMode.DIRECT);
    MemorySegment into = channel.into(ReceiveMode.COPY);
    long ticket = receiver.post(ReceiveMode.DIRECT, inbound, 0, 64);
    inbound.fill((byte) 9);
    assertThat(send(SendMode.COPY, PAGE, 1)).isEqualTo(Nic.DONE);
    assertThat(receiver.poll()).isZero();
    assertThat(inbound.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 9);
    assertThat(receiver.receive(ReceiveMode.COPY, into, 0, 100)).isEqualTo(ModeReceiver.TOO_SHORT);
    assertThat(receiver.receive(ReceiveMode.COPY, into, 0, PAGE)).isEqualTo(PAGE);
    Channel.check(into, 0, PAGE, 1, "asked for");
    assertThat(send(SendMode.COPY, 64, 2)).isEqualTo(Nic.DONE);
    assertThatThrownBy(() -> receiver.receive(ReceiveMode.COPY, into, 0, PAGE))
        .hasMessageContaining("for a posted buffer");
    assertThat(receiver.poll()).isEqualTo(1);
    assertThat(receiver.bytes(ticket)).isEqualTo(64);
  }

  /** With nothing posted, poll frees the sender's own memory, as long as there is room. */
  @Test
  void virtualIsBufferedUntilTheOverflowIsFull() {
    MemorySegment into = channel.into(ReceiveMode.COPY);
    long[] tickets = new long[3];
    for (int i = 0; i < 3; i++) {
      MemorySegment from = channel.arena.allocate(Channel.MESSAGE_MAX);
      Channel.fill(from, 0, Channel.MESSAGE_MAX, i + 1);
      tickets[i] = sender.send(SendMode.VIRTUAL, from, 0, Channel.MESSAGE_MAX);
    }
    assertThat(sender.isReady(tickets[0])).isFalse();
    assertThat(receiver.poll()).isZero();
    assertThat(sender.isReady(tickets[0])).isTrue();
    assertThat(sender.isReady(tickets[1])).isTrue();
    assertThat(sender.isReady(tickets[2])).isFalse();
    for (int i = 0; i < 3; i++) {
      assertThat(receiver.receive(ReceiveMode.COPY, into, 0, Channel.MESSAGE_MAX))
          .isEqualTo(Channel.MESSAGE_MAX);
      Channel.check(into, 0, Channel.MESSAGE_MAX, i + 1, "buffered");
    }
    assertThat(sender.isReady(tickets[2])).isTrue();
  }

  /** Posts, sends, polls and receives at random: all arrive once, in order, unharmed. */
  @Test
  void randomStories() {
    SplittableRandom random = new SplittableRandom(11);
    ArrayDeque<long[]> sent = new ArrayDeque<>();
    ArrayDeque<long[]> posted = new ArrayDeque<>();
    MemorySegment[] inbound = {channel.into(ReceiveMode.DIRECT), receiver.inbound()};
    int message = 0;
    int arrived = 0;
    for (int step = 0; step < 60_000; step++) {
      int what = random.nextInt(4);
      if (what == 0 && posted.size() < 2) {
        int which = (int) (posted.isEmpty() ? step & 1 : 1 - posted.getLast()[1]);
        long ticket = receiver.post(ReceiveMode.DIRECT, inbound[which], 0, 2L * PAGE);
        posted.add(new long[] {ticket, which});
      } else if (what == 1) {
        SendMode mode = random.nextBoolean() ? SendMode.COPY : SendMode.PIO;
        long length = 1L + random.nextInt(mode == SendMode.PIO ? 100 : 3 * PAGE);
        if (send(mode, length, message + 1) == Nic.DONE) {
          sent.add(new long[] {++message, length});
        }
      } else if (what == 2) {
        int filled = receiver.poll();
        for (int i = 0; i < filled; i++) {
          long[] post = posted.remove();
          long[] next = sent.remove();
          assertThat(receiver.bytes(post[0])).isEqualTo(next[1]);
          Channel.check(inbound[(int) post[1]], 0, next[1], (int) next[0], "posted");
          arrived++;
        }
      } else if (!sent.isEmpty() && (posted.isEmpty() || sent.element()[1] > 2L * PAGE)) {
        MemorySegment into = channel.into(ReceiveMode.EXCHANGE);
        long[] next = sent.remove();
        assertThat(receiver.receive(ReceiveMode.EXCHANGE, into, 0, 3L * PAGE)).isEqualTo(next[1]);
        Channel.check(into, 0, next[1], (int) next[0], "received");
        arrived++;
      }
    }
    assertThat(arrived).isGreaterThan(5_000);
  }
}
