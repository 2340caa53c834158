package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Upcalls that call the transport back. */
class ReentrancyTest {
  private final Pair pair = Pair.listening();

  @Test
  void sendingInOnBytesMakesAnEcho() {
    long association = pair.open();
    pair.b.duringBytes = accepted -> pair.b.send(accepted, 10, 3);
    for (int i = 0; i < 50; i++) {
      pair.a.send(association, 100, i);
      pair.run(100 * Pair.US);
    }

    assertThat(pair.b.bytes.size()).isEqualTo(5_000);
    assertThat(pair.a.bytes.size()).isEqualTo(10 * pair.b.pieces.size());
    assertThat(pair.a.count(Count.TIMEOUTS) + pair.b.count(Count.TIMEOUTS)).isZero();
  }

  @Test
  void abortInOnBytes() {
    long association = pair.open();
    pair.b.duringBytes = pair.b::abort;
    pair.a.send(association, 50_000, 1);
    pair.run(20 * Pair.MS);

    assertThat(pair.b.pieces).hasSize(1);
    assertThat(pair.a.ended.getFirst().why()).isEqualTo(Ending.ABORTED_BY_PEER);
    pair.run(2_000 * Pair.MS);
    pair.assertNothingLeft();
  }

  @Test
  void abortInOnBytesWhileDrainingWhatAGapHeld() {
    long association = pair.open();
    pair.loseOne(Sent::isData);
    pair.b.duringBytes =
        accepted -> {
          if (pair.b.pieces.size() == 3) {
            pair.b.abort(accepted);
          }
        };
    pair.a.send(association, 14_000, 1);
    pair.run(20 * Pair.MS);

    assertThat(pair.b.pieces).hasSize(3);
    assertThat(pair.b.transport.heldBytes()).isZero();
    assertThat(pair.b.transport.creditTakenBytes()).isZero();
    pair.run(2_000 * Pair.MS);
    pair.assertNothingLeft();
  }

  @Test
  void closeReadInOnBytes() {
    long association = pair.open();
    pair.b.duringBytes = accepted -> pair.b.transport.closeRead(pair.nowNs, accepted);
    pair.a.send(association, 50_000, 1);
    pair.run(20 * Pair.MS);

    long undelivered = 50_000L - pair.b.bytes.size();
    assertThat(pair.b.pieces).hasSize(1);
    assertThat(pair.a.writeEnds).containsEntry(association, undelivered);
  }

  @Test
  void closeReadAndWriteInOnBytesOfTheLastFrame() {
    long association = pair.open();
    pair.b.duringBytes =
        accepted -> {
          pair.b.closeWrite(accepted);
          pair.b.transport.closeRead(pair.nowNs, accepted);
        };
    pair.a.send(association, 100, 1);
    pair.a.closeWrite(association);
    pair.run(20 * Pair.MS);

    assertThat(pair.a.ended).containsExactly(new End.Ended(association, Ending.DISSOLVED, 0, 0));
    assertThat(pair.b.ended).hasSize(1);
  }

  @Test
  void abortInOnReleased() {
    long association = pair.open();
    pair.a.duringRelease =
        buffer -> {
          if (buffer.token() == 2) {
            pair.a.abort(association);
          }
        };
    for (int i = 0; i < 10; i++) {
      pair.a.send(association, 1_000, i);
    }
    pair.run(20 * Pair.MS);

    assertThat(pair.a.released).extracting(End.Released::token).doesNotHaveDuplicates().hasSize(10);
    assertThat(pair.a.ended).hasSize(1);
    pair.run(2_000 * Pair.MS);
    pair.assertNothingLeft();
  }

  @Test
  void whatAnEndedAssociationUsedIsNotUsedAgainWhileItIsOnTheStack() {
    long association = pair.open();
    List<Long> fresh = new ArrayList<>();
    pair.a.duringRelease =
        buffer -> {
          if (pair.a.released.size() == 1) {
            pair.a.abort(association);
            fresh.add(pair.a.open(pair.b));
            pair.a.send(fresh.getFirst(), 10, 5);
          }
        };
    pair.a.send(association, 500, 1);
    pair.a.send(association, 500, 2);
    pair.run(20 * Pair.MS);

    assertThat(pair.a.released)
        .filteredOn(buffer -> buffer.token() == 2)
        .containsExactly(new End.Released(fresh.getFirst(), 2, Release.DELIVERED));
    assertThat(pair.b.bytes.size()).isEqualTo(1_010);
  }

  @Test
  void refillingInOnReleasedStopsWhenTheReaderWantsNoMore() {
    long association = pair.open();
    pair.a.duringRelease =
        buffer -> {
          if (buffer.how() == Release.DELIVERED) {
            pair.a.send(association, 1_000, 1);
          }
        };
    pair.b.duringBytes =
        accepted -> {
          if (pair.b.bytes.size() > 50_000) {
            pair.b.transport.closeRead(pair.nowNs, accepted);
            pair.b.duringBytes = other -> {};
          }
        };
    pair.a.send(association, 1_000, 1);
    pair.a.send(association, 1_000, 1);
    pair.run(20 * Pair.MS);

    assertThat(pair.a.writeEnds).containsKey(association);
    assertThat(pair.a.released).filteredOn(b -> b.how() == Release.UNDELIVERED).hasSizeLessThan(3);
  }

  @Test
  void aSendFromAnUndeliveredReleaseIsRefusedAndDoesNotTurnInCircles() {
    long association = pair.open();
    pair.b.consumes = false;
    List<TransportException.Mistake> refusals = new ArrayList<>();
    pair.a.duringRelease =
        buffer -> {
          try {
            pair.a.send(association, 100, 1);
          } catch (TransportException e) {
            refusals.add(e.mistake());
          }
        };
    for (int i = 0; i < 5; i++) {
      pair.a.send(association, 2_000_000, i);
    }
    pair.run(100 * Pair.US);
    pair.b.transport.closeRead(pair.nowNs, pair.b.accepted());
    pair.run(Pair.MS);

    assertThat(refusals).isNotEmpty().containsOnly(TransportException.Mistake.WRITE_CLOSED);
  }

  @Test
  void abortInAnUndeliveredReleaseTellsTheEndOnceAndLast() {
    long association = pair.open();
    pair.b.consumes = false;
    for (int i = 0; i < 5; i++) {
      pair.a.send(association, 2_000_000, i);
    }
    pair.run(100 * Pair.MS);
    pair.a.duringRelease =
        buffer -> {
          if (pair.a.ended.isEmpty()) {
            pair.a.abort(association);
          }
        };
    long delivered = pair.b.bytes.size();
    pair.b.transport.closeRead(pair.nowNs, pair.b.accepted());
    pair.run(Pair.MS);

    assertThat(pair.a.ended)
        .containsExactly(new End.Ended(association, Ending.ABORTED, 10_000_000 - delivered, 0));
    assertThat(pair.a.events.getLast()).isEqualTo("ended ABORTED");
  }

  @Test
  void abortInOnAccepted() {
    pair.b.duringAccept = pair.b::abort;
    long association = pair.a.open(pair.b);
    pair.a.send(association, 100, 1);
    pair.run(20 * Pair.MS);

    assertThat(pair.b.pieces).isEmpty();
    assertThat(pair.a.ended)
        .containsExactly(new End.Ended(association, Ending.ABORTED_BY_PEER, 100, 0));
  }

  @Test
  void openingInOnEnded() {
    long association = pair.open();
    pair.a.duringEnd = end -> pair.a.send(pair.a.open(pair.b), 10, 1);
    pair.a.abort(association);
    pair.run(20 * Pair.MS);

    assertThat(pair.b.bytes.size()).isEqualTo(10);
  }
}
