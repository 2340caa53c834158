package io.busbar.fabric.modes;

import static io.busbar.fabric.modes.Channel.PAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.linux.MemoryFile;
import io.busbar.memory.Crossover;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is refused, by name, and leaves the channel as it was. */
@Timeout(60)
class RefusalTest {
  private final Channel channel = new Channel();
  private final ModeSender sender = channel.sender;
  private final ModeReceiver receiver = channel.receiver;
  private final MemorySegment memory = channel.from(SendMode.COPY);

  @AfterEach
  void close() {
    channel.close();
  }

  private static <T> T nothing(T[] none) {
    return none[0];
  }

  @Test
  void badSends() {
    for (SendMode mode : SendMode.values()) {
      assertThatThrownBy(() -> sender.send(mode, memory, 0, 0)).hasMessageContaining("at least 1");
      assertThatThrownBy(() -> sender.send(mode, memory, 8, Channel.MESSAGE_MAX))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> sender.send(mode, memory, -1, 8))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> sender.send(mode, nothing(new MemorySegment[1]), 0, 8))
          .isInstanceOf(NullPointerException.class)
          .hasMessageContaining("memory to send from");
      MemorySegment large = channel.arena.allocate(Channel.MESSAGE_MAX + 1);
      assertThat(sender.send(mode, large, 0, Channel.MESSAGE_MAX + 1)).isEqualTo(Nic.TOO_LONG);
      MemorySegment heap = MemorySegment.ofArray(new byte[64]);
      if (mode.isReusableAtReturn()) {
        assertThat(sender.send(mode, heap, 0, 64)).isEqualTo(Nic.DONE);
        assertThat(receiver.skip()).isTrue();
      } else {
        assertThatThrownBy(() -> sender.send(mode, heap, 0, 64))
            .hasMessageContaining(mode + " needs native memory");
      }
    }
    assertThat(sender.send(SendMode.PIO, memory, 0, PAGE + 1)).isEqualTo(Nic.TOO_LONG);
    assertThat(receiver.next()).isEqualTo(ModeReceiver.NOTHING);
    assertThatThrownBy(() -> sender.isReady(99)).hasMessageContaining("no send returned");
    assertThatThrownBy(() -> sender.reown(memory)).hasMessageContaining("not from pages()");
  }

  @Test
  void badReceives() {
    MemorySegment heap = MemorySegment.ofArray(new byte[64]);
    assertThat(receiver.receive(ReceiveMode.COPY, heap, 0, 64)).isEqualTo(ModeReceiver.NOTHING);
    for (ReceiveMode mode : new ReceiveMode[] {ReceiveMode.DIRECT, ReceiveMode.VIRTUAL}) {
      assertThatThrownBy(() -> receiver.post(mode, heap, 0, 64))
          .hasMessageContaining(mode + " needs native memory");
      assertThatThrownBy(() -> receiver.receive(mode, heap, 0, 64))
          .hasMessageContaining(mode + " needs native memory");
    }
    assertThatThrownBy(() -> receiver.receive(ReceiveMode.COPY, memory.asReadOnly(), 0, 8))
        .hasMessageContaining("read-only");
    assertThatThrownBy(() -> receiver.receive(ReceiveMode.COPY, heap, 0, 65))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> receiver.post(ReceiveMode.COPY, nothing(new MemorySegment[1]), 0, 8))
        .hasMessageContaining("memory to receive into");
    assertThatThrownBy(receiver::giveBack).hasMessageContaining("no message is borrowed");
    assertThatThrownBy(() -> receiver.bytes(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> receiver.release(memory)).hasMessageContaining("not from pages()");
    for (int i = 0; i < 64; i++) {
      assertThat(receiver.post(ReceiveMode.COPY, memory, 0, 8)).isPositive();
    }
    assertThat(receiver.post(ReceiveMode.COPY, memory, 0, 8)).isEqualTo(Nic.FULL);
  }

  /** Fetched memory goes to the heap, too, where the mode does not promise that nothing moves. */
  @Test
  void virtualIsReceivedOnTheHeap() {
    MemorySegment heap = MemorySegment.ofArray(new byte[(int) Channel.MESSAGE_MAX]);
    Channel.fill(memory, 0, Channel.MESSAGE_MAX, 3);
    assertThat(sender.send(SendMode.VIRTUAL, memory, 0, Channel.MESSAGE_MAX)).isPositive();
    assertThat(receiver.receive(ReceiveMode.COPY, heap, 0, Channel.MESSAGE_MAX))
        .isEqualTo(Channel.MESSAGE_MAX);
    Channel.check(heap, 0, Channel.MESSAGE_MAX, 3, "heap");
  }

  @Test
  void extentsThatAreKeptHaveABound() {
    assertThat(sender.pages().byteSize()).isEqualTo(Channel.MESSAGE_MAX);
    assertThatThrownBy(sender::pages).hasMessageContaining("more extents");
    assertThat(receiver.inbound().byteSize()).isEqualTo(Channel.MESSAGE_MAX);
    assertThatThrownBy(receiver::inbound).hasMessageContaining("inbound extents are in use");
  }

  @Test
  void channelsThatAreNone() {
    assertThatThrownBy(() -> new ModeReceiver(sender.path(), Channel.CONFIG))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("a living process receives");
    try (MemoryFile file = MemoryFile.anonymous("none")) {
      file.reserve(4096);
      String path = "/proc/self/fd/" + file.descriptor().number();
      assertThatThrownBy(() -> new ModeReceiver(path, Channel.CONFIG))
          .hasMessageContaining("is no channel");
    }
    assertThatThrownBy(() -> new ModesConfig(7, 8, 2, 4096, 0, false, Crossover.at(1)))
        .hasMessage("a channel cannot have cells = 7");
    assertThatThrownBy(() -> new ModesConfig(8, 8, 2, 5000, 0, false, Crossover.at(1)))
        .hasMessage("a channel cannot have messageBytesMax = 5000");
    assertThatThrownBy(() -> new ModesConfig(8, 65, 0, 4096, 0, false, Crossover.at(1)))
        .hasMessage("a channel cannot have extents in all = 65");
  }

  /** What is published outlives a sender that closes; what was in its own memory does not. */
  @Test
  void afterTheSenderClosed() {
    Channel.fill(memory, 0, 64, 5);
    assertThat(sender.send(SendMode.PIO, memory, 0, 64)).isEqualTo(Nic.DONE);
    assertThat(sender.send(SendMode.VIRTUAL, memory, 0, 64)).isPositive();
    assertThat(receiver.isSenderAlive()).isTrue();
    sender.close();
    assertThat(receiver.isSenderAlive()).isFalse();
    assertThat(sender.send(SendMode.PIO, memory, 0, 64)).isEqualTo(Nic.GONE);
    MemorySegment into = channel.into(ReceiveMode.COPY);
    assertThat(receiver.receive(ReceiveMode.COPY, into, 0, 64)).isEqualTo(64);
    Channel.check(into, 0, 64, 5, "published");
    assertThat(receiver.receive(ReceiveMode.COPY, into, 0, 64)).isEqualTo(Nic.GONE);
    assertThat(receiver.next()).isEqualTo(ModeReceiver.NOTHING);
  }
}
