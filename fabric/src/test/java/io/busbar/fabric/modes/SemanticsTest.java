package io.busbar.fabric.modes;

import static io.busbar.fabric.modes.Channel.PAGE;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.Nic;
import io.busbar.memory.Crossover;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each mode promises: who may touch what, when (C11 to C14). */
@Timeout(60)
class SemanticsTest {
  private final Channel channel = new Channel();
  private final ModeSender sender = channel.sender;
  private final ModeReceiver receiver = channel.receiver;

  @AfterEach
  void close() {
    channel.close();
  }

  private static long[] lengths(SendMode mode) {
    return mode == SendMode.PIO
        ? new long[] {1, 64, PAGE}
        : new long[] {1, 64, PAGE, PAGE + 1, 3L * PAGE + 100, Channel.MESSAGE_MAX};
  }

  @ParameterizedTest
  @EnumSource
  void everyWayToSendMeetsEveryWayToReceive(SendMode out) {
    int message = 0;
    for (ReceiveMode in : ReceiveMode.values()) {
      for (int round = 0; round < 3; round++) {
        for (long length : lengths(out)) {
          MemorySegment from = channel.from(out);
          MemorySegment into = channel.into(in);
          Channel.fill(from, 0, length, ++message);
          into.fill((byte) 0x55);
          long ticket = sender.send(out, from, 0, length);
          assertThat(ticket).isNotNegative();
          assertThat(receiver.next()).isEqualTo(length);
          assertThat(receiver.receive(in, into, 0, Channel.MESSAGE_MAX)).isEqualTo(length);
          Channel.check(into, 0, length, message, in);
          for (long at = length; at < Channel.MESSAGE_MAX; at++) {
            assertThat(into.get(ValueLayout.JAVA_BYTE, at)).isEqualTo((byte) 0x55);
          }
          assertThat(sender.isReady(ticket)).isTrue();
          assertThat(receiver.next()).isEqualTo(ModeReceiver.NOTHING);
        }
      }
    }
  }

  /** C11: what the sender writes after the return is not in the message. */
  @ParameterizedTest
  @EnumSource(names = {"PIO", "COPY", "EXCHANGE"})
  void reuseAtReturn(SendMode mode) {
    assertThat(mode.isReusableAtReturn()).isTrue();
    MemorySegment from = channel.from(mode);
    MemorySegment into = channel.into(ReceiveMode.COPY);
    for (int message = 1; message < 20; message++) {
      Channel.fill(from, 0, PAGE, message);
      assertThat(sender.send(mode, from, 0, PAGE)).isEqualTo(Nic.DONE);
      from.fill((byte) -1);
      assertThat(receiver.receive(ReceiveMode.COPY, into, 0, PAGE)).isEqualTo(PAGE);
      Channel.check(into, 0, PAGE, message, mode);
      assertThat(from.get(ValueLayout.JAVA_BYTE, 5)).isEqualTo((byte) -1);
    }
  }

  /** C11: these use the memory until the test says that they do not. */
  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "VIRTUAL"})
  void reuseWhenReady(SendMode mode) {
    assertThat(mode.isReusableAtReturn()).isFalse();
    MemorySegment from = channel.from(mode);
    MemorySegment into = channel.into(ReceiveMode.COPY);
    Channel.fill(from, 0, PAGE, 1);
    long ticket = sender.send(mode, from, 0, PAGE);
    assertThat(ticket).isPositive();
    assertThat(sender.isReady(ticket)).isFalse();
    Channel.fill(from, 0, PAGE, 2); // against the rule: nothing was copied, so it shows
    assertThat(receiver.receive(ReceiveMode.COPY, into, 0, PAGE)).isEqualTo(PAGE);
    Channel.check(into, 0, PAGE, 2, mode);
    assertThat(sender.isReady(ticket)).isTrue();
    from.fill((byte) -1);
    Channel.check(into, 0, PAGE, 2, mode);
  }

  /** A borrowed message is the memory that it was sent from or stored in; nothing is copied. */
  @ParameterizedTest
  @EnumSource
  void borrowedWhereItIs(SendMode mode) {
    MemorySegment from = channel.from(mode);
    for (int message = 1; message < 30; message++) {
      Channel.fill(from, 0, PAGE, message);
      long ticket = sender.send(mode, from, 0, PAGE);
      assertThat(receiver.borrow()).isEqualTo(PAGE);
      Channel.check(receiver.borrowed(), receiver.borrowedAt(), PAGE, message, mode);
      if (mode == SendMode.DIRECT) {
        assertThat(sender.isReady(ticket)).isFalse();
      }
      receiver.giveBack();
      assertThat(sender.isReady(ticket)).isTrue();
    }
  }

  /** C13: direct memory that the channel does not know is copied. */
  @Test
  void directFromElsewhereIsCopied() {
    MemorySegment from = channel.from(SendMode.VIRTUAL);
    MemorySegment into = channel.into(ReceiveMode.COPY);
    Channel.fill(from, 0, PAGE, 1);
    assertThat(sender.send(SendMode.DIRECT, from, 0, PAGE)).isEqualTo(Nic.DONE);
    from.fill((byte) 0);
    assertThat(receiver.receive(ReceiveMode.COPY, into, 0, PAGE)).isEqualTo(PAGE);
    Channel.check(into, 0, PAGE, 1, "copied");
  }

  /** C9, C10: not aligned, or not such pages, or short: the same promise, by copying. */
  @Test
  void exchangeThatCannotBeIsCopied() {
    MemorySegment pages = channel.from(SendMode.EXCHANGE);
    MemorySegment into = channel.into(ReceiveMode.EXCHANGE);
    MemorySegment other = channel.from(SendMode.COPY);
    int message = 0;
    for (long offset : new long[] {8, PAGE, 100}) {
      for (long target : new long[] {0, 8, PAGE}) {
        for (MemorySegment from :
            new MemorySegment[] {pages, other, MemorySegment.ofArray(new byte[4 * PAGE])}) {
          Channel.fill(from, offset, 2L * PAGE, ++message);
          assertThat(sender.send(SendMode.EXCHANGE, from, offset, 2L * PAGE)).isEqualTo(Nic.DONE);
          from.fill((byte) -1);
          assertThat(receiver.receive(ReceiveMode.EXCHANGE, into, target, 2L * PAGE))
              .isEqualTo(2L * PAGE);
          Channel.check(into, target, 2L * PAGE, message, "exchange");
        }
      }
    }
  }

  /** One who sends again before the pages came back is served by a copy; then by exchange again. */
  @Test
  void pagesThatAreNotBackAreCopied() {
    MemorySegment pages = channel.from(SendMode.EXCHANGE);
    MemorySegment into = channel.into(ReceiveMode.EXCHANGE);
    for (int message = 1; message <= 3; message++) {
      Channel.fill(pages, 0, 2L * PAGE, message);
      assertThat(sender.send(SendMode.EXCHANGE, pages, 0, 2L * PAGE)).isEqualTo(Nic.DONE);
    }
    assertThat(sender.reown(pages)).isFalse();
    for (int message = 1; message <= 3; message++) {
      assertThat(receiver.receive(ReceiveMode.EXCHANGE, into, 0, 2L * PAGE)).isEqualTo(2L * PAGE);
      Channel.check(into, 0, 2L * PAGE, message, "received");
    }
    Channel.check(pages, 0, 2L * PAGE, 3, "sent");
    assertThat(sender.reown(pages)).isTrue();
    Channel.check(pages, 0, 2L * PAGE, 3, "sent and back");
    Channel.check(into, 0, 2L * PAGE, 3, "received");
  }

  /**
   * C10: what is shorter than the crossover is copied: the pages are here before it is received.
   */
  @Test
  void belowTheCrossoverPagesStay() {
    Crossover late = new Crossover(PAGE, 4L * PAGE, 6L * PAGE, List.of());
    try (Channel other = new Channel(Channel.CONFIG.with(late))) {
      MemorySegment pages = other.from(SendMode.EXCHANGE);
      MemorySegment into = other.into(ReceiveMode.EXCHANGE);
      boolean[] staysAtSend = {true, false, false};
      boolean[] isBackAtReceive = {true, true, false};
      long[] lengths = {4L * PAGE - 1, 6L * PAGE - 1, 6L * PAGE};
      for (int i = 0; i < lengths.length; i++) {
        assertThat(other.sender.send(SendMode.EXCHANGE, pages, 0, lengths[i])).isEqualTo(Nic.DONE);
        assertThat(other.sender.reown(pages)).isEqualTo(staysAtSend[i]);
        assertThat(other.receiver.receive(ReceiveMode.EXCHANGE, into, 0, lengths[i]))
            .isEqualTo(lengths[i]);
        assertThat(other.sender.reown(pages)).isEqualTo(isBackAtReceive[i]);
      }
      other.receiver.release(into);
      assertThat(other.sender.reown(pages)).isTrue();
    }
  }

  /** Who does not give a crossover has that of this machine, measured once. */
  @Test
  void defaultsAreMeasured() {
    assertThat(ModesConfig.defaults().crossover().points()).isNotEmpty();
    assertThat(ModesConfig.defaults().crossover()).isSameAs(ModesConfig.defaults().crossover());
    try (ModeSender large = new ModeSender(ModesConfig.defaults());
        ModeReceiver other = new ModeReceiver(large.path(), ModesConfig.defaults())) {
      MemorySegment from = channel.from(SendMode.COPY);
      assertThat(large.send(SendMode.COPY, from, 0, PAGE)).isEqualTo(Nic.DONE);
      assertThat(other.skip()).isTrue();
    }
  }

  /** Full is a refusal that left no trace, and what was sent before arrives. */
  @ParameterizedTest
  @EnumSource
  void fullIsNoLoss(SendMode mode) {
    MemorySegment from = channel.from(mode);
    MemorySegment into = channel.into(ReceiveMode.COPY);
    int sent = 0;
    long result = sender.send(mode, from, 0, 64);
    while (result >= 0) {
      sent++;
      result = sender.send(mode, from, 0, 64);
    }
    assertThat(result).isEqualTo(Nic.FULL);
    assertThat(sent).isBetween(4, 8);
    int received = 0;
    while (receiver.receive(ReceiveMode.COPY, into, 0, 64) == 64) {
      received++;
    }
    assertThat(received).isEqualTo(sent);
    assertThat(sender.send(mode, from, 0, 64)).isNotNegative();
  }
}
