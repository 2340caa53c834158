package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Bodies;
import org.junit.jupiter.api.Test;

/** A channel carries one body after the other, and the next one when the former was dealt with. */
class BodiesInTest {
  private final BodiesIn bodies = new BodiesIn(2);

  @Test
  void bodiesFollowEachOther() {
    for (int i = 0; i < 3; i++) {
      long body = Bodies.body(1, i);
      assertThat(bodies.onStart(body)).isTrue();
      assertThat(bodies.onPiece(1, 0)).isEqualTo(body);
      assertThat(bodies.onPiece(1, Bodies.LAST)).isEqualTo(body);
      bodies.onDone(body);
    }
    assertThat(bodies.onPiece(2, 0)).as("the other channel").isEqualTo(Bodies.body(2, 0));
  }

  /** Pieces take another way than the START. */
  @Test
  void piecesMayComeBeforeTheStart() {
    assertThat(bodies.onPiece(1, Bodies.LAST)).isEqualTo(Bodies.body(1, 0));
    assertThat(bodies.onStart(Bodies.body(1, 0))).isTrue();
  }

  /** Its handler wants no more; what is left of it comes, behind the START of the next one. */
  @Test
  void restOfABodyMayComeBehindTheNextStart() {
    assertThat(bodies.onStart(Bodies.body(1, 0))).isTrue();
    bodies.onDone(Bodies.body(1, 0));
    assertThat(bodies.onStart(Bodies.body(1, 1))).isTrue();
    assertThat(bodies.onPiece(1, Bodies.LAST)).isEqualTo(Bodies.body(1, 0));
    assertThat(bodies.onPiece(1, 0)).isEqualTo(Bodies.body(1, 1));
  }

  @Test
  void startOutOfTurnIsRefused() {
    assertThat(bodies.onStart(Bodies.body(1, 1))).as("the one before was not sent").isFalse();
    assertThat(bodies.onStart(Bodies.body(1, 0))).isTrue();
    assertThat(bodies.onStart(Bodies.body(1, 0))).as("twice").isFalse();
    assertThat(bodies.onStart(Bodies.body(1, 1))).as("the one before goes on").isFalse();
    bodies.onDone(Bodies.body(1, 0));
    assertThat(bodies.onStart(Bodies.body(1, 0))).as("it is over").isFalse();
  }

  @Test
  void pieceOutOfTurnIsRefused() {
    assertThat(bodies.onPiece(1, Bodies.LAST)).isNotEqualTo(BodiesIn.NONE);
    assertThat(bodies.onPiece(1, 0)).as("the one before has not started").isEqualTo(BodiesIn.NONE);
    assertThat(bodies.onStart(Bodies.body(1, 0))).isTrue();
    assertThat(bodies.onPiece(1, Bodies.LAST)).as("it is not over").isEqualTo(BodiesIn.NONE);
    bodies.onDone(Bodies.body(1, 0));
    assertThat(bodies.onPiece(1, 0)).isEqualTo(Bodies.body(1, 1));
  }
}
