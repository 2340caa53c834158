package io.busbar.fabric.udp;

import io.busbar.linux.NativeSocket;
import io.busbar.linux.PollSet;
import org.jspecify.annotations.Nullable;

/**
 * What wakes a sleeper: a datagram, and, while frames could not leave, room in the send buffer. The
 * kernel keeps what arrives ready, so nothing is lost between the last look and the sleep.
 */
final class Slumber {
  private final NativeSocket own;
  private final @Nullable NativeSocket everyone;
  private final TransmitStage stage;
  private final PollSet look = new PollSet(2);
  private @Nullable PollSet set;
  private int place;
  private boolean waitsForRoom;

  Slumber(NativeSocket own, @Nullable Everyone everyone, TransmitStage stage) {
    this.own = own;
    this.everyone = everyone == null ? null : everyone.socket;
    this.stage = stage;
    add(look);
  }

  private int add(PollSet to) {
    int first = to.add(own.descriptor(), PollSet.IN);
    if (everyone != null) {
      to.add(everyone.descriptor(), PollSet.IN);
    }
    return first;
  }

  /** Adds the sockets to a set. */
  void listen(PollSet sleeper) {
    place = add(sleeper);
    set = sleeper;
  }

  /** Whether nothing can be received; one system call. */
  boolean isQuiet() {
    return look.await(0) == 0;
  }

  /** Before a sleep. */
  void begin() {
    if (set != null && !stage.isEmpty()) {
      set.listen(place, PollSet.IN | PollSet.OUT);
      waitsForRoom = true;
    }
  }

  /** After it. */
  void end() {
    if (set != null && waitsForRoom) {
      set.listen(place, PollSet.IN);
      waitsForRoom = false;
    }
  }
}
