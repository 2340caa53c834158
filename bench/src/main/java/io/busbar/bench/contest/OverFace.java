package io.busbar.bench.contest;

import io.busbar.messages.Handler;
import io.busbar.messages.InMessage;
import io.busbar.messages.Messages;
import io.busbar.messages.OutMessage;
import io.busbar.messages.ResumableHandler.Progress;
import io.busbar.node.NodeConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Busbar: Fast Messages through one of their faces, questions and answers alike. The answer to a
 * question is sent behind its handler by who extracts, so that all faces answer in one place.
 */
final class OverFace implements Contender {
  private static final int BUFFER_BYTES = 1 << 20;

  private final NodeConfig config;
  private final Kind kind;
  private final MemorySegment out = Arena.ofAuto().allocate(BUFFER_BYTES, 4096);
  private final MemorySegment in = Arena.ofAuto().allocate(BUFFER_BYTES, 4096);
  private @Nullable Messages joined;
  private @Nullable Handler handler;
  private final Troubles troubles = new Troubles();

  /** One handler runs at any instant, while somebody extracts; so both need no lock. */
  private long handled;

  private long taken;

  /** A face. */
  enum Kind {
    /** It is sent by one call, and received by one: what the other faces are compared with. */
    WHOLE,
    /** It begins, has two pieces, and is closed. */
    PIECES,
    /** A buffer is given away, and taken. */
    GIVEN,
    /** The handler runs on a virtual thread. */
    WAITING,
    /** The handler is called for each arrival. */
    RESUMABLE
  }

  /** One end of {@code face-FABRIC-KIND}, not joined yet. */
  OverFace(String name, Place place) {
    String[] words = name.split("-", -1);
    kind = Kind.valueOf(words[2].toUpperCase(Locale.ROOT));
    config = Meetings.config(words[1], place.host(), place.asks(), place.directory());
  }

  @Override
  public String address() {
    return String.valueOf(config.meeting());
  }

  @Override
  public void connect(String other) {
    try {
      Messages fm = Messages.join(Meetings.at(config, other), troubles);
      handler =
          switch (kind) {
            case WHOLE -> fm.handler("take", this::onWhole);
            case PIECES -> fm.handler("take", this::onPieces);
            case GIVEN -> fm.handler("take", this::onGiven);
            case WAITING -> fm.waitingHandler("take", this::onWhole);
            case RESUMABLE -> fm.resumableHandler("take", this::onArrival);
          };
      joined = fm;
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while joining", e);
    }
  }

  // Faces.

  private void send(Messages fm, int bytes) {
    Handler to = open(handler);
    int peer = 1 - config.rank();
    switch (kind) {
      case PIECES -> {
        try (OutMessage message = fm.begin(peer, bytes, to)) {
          int first = head(bytes);
          message.send(out, 0, first);
          message.send(out, first, bytes - first);
        }
      }
      case GIVEN -> fm.give(peer, to, fm.buffer(bytes), bytes);
      case WHOLE, WAITING, RESUMABLE -> fm.send(peer, to, out, 0, bytes);
    }
  }

  /** The first piece is what a layer above would put in front, if there is so much. */
  private static int head(long bytes) {
    return (int) Math.min(bytes, 16);
  }

  private void onPieces(InMessage message, int from) {
    int first = head(message.length());
    message.receive(in, 0, first);
    message.receive(in, first, message.length() - first);
    handled++;
  }

  private void onGiven(InMessage message, int from) {
    message.take().close();
    handled++;
  }

  private void onWhole(InMessage message, int from) {
    message.receive(in, 0, message.length());
    handled++;
  }

  private Progress onArrival(InMessage message, int from) {
    message.receive(in, message.length() - message.remaining(), message.available());
    if (message.remaining() > 0) {
      return Progress.CONTINUE;
    }
    handled++;
    return Progress.DONE;
  }

  // Messages.

  private static <T> T open(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("not connected");
    }
    return part;
  }

  private void receive(Messages fm, int count) {
    taken += count;
    while (handled < taken) {
      if (fm.extract() == 0) {
        Thread.onSpinWait();
        troubles.check();
      }
    }
  }

  @Override
  public void ask(int bytes, int count, long[] roundTripsNs) {
    Messages fm = open(joined);
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      send(fm, bytes);
      receive(fm, 1);
      roundTripsNs[i] = System.nanoTime() - start;
    }
  }

  @Override
  public void answer(int bytes, int count) {
    Messages fm = open(joined);
    for (int i = 0; i < count; i++) {
      receive(fm, 1);
      send(fm, bytes);
    }
  }

  @Override
  public void flood(int bytes, int count) {
    Messages fm = open(joined);
    for (int i = 0; i < count; i++) {
      send(fm, bytes);
    }
    receive(fm, 1);
  }

  @Override
  public void sink(int bytes, int count) {
    Messages fm = open(joined);
    receive(fm, count);
    send(fm, 1);
  }

  @Override
  public void close() {
    if (joined != null) {
      joined.close();
    }
  }
}
