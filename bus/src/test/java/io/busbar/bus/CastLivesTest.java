package io.busbar.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.CastBlock;
import io.busbar.wire.Key;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** What is heard of a sender that dies, comes back, or lives another life. */
class CastLivesTest extends CastReading {
  private void begin(long life) {
    hear(control(CastBlock.WELCOME, Key.of(0, 0, life), life, ID, LIFE, 0));
  }

  private void passSeconds(int seconds) {
    for (int i = 0; i < 100 * seconds; i++) {
      nowNs += 10 * MS;
      long _ = casting.poll(nowNs);
    }
  }

  /** More lives than streams that one sender may have here. */
  @Test
  void aSenderIsHeardInEachOfTwoHundredLives() {
    begin(SENDER_LIFE);
    for (int i = 1; i <= 200; i++) {
      told.clear();
      casting.onDead(nowNs, 2);
      casting.onMember(nowNs, member(2, SENDER_LIFE + i));
      begin(SENDER_LIFE + i);
      assertThat(told).as("life %d", i).containsExactly("dead 2", "end 2", "begin 2");
    }
    casting.onDead(nowNs, 2);
    assertThat(Collections.frequency(told, "dead 2")).as("nothing is left of others").isEqualTo(2);
  }

  @Test
  void nobodyIsAskedForWhatADeadSenderOwes() {
    begin(SENDER_LIFE);
    hear(data(0, 64));
    hear(data(2, 64));
    casting.onDead(nowNs, 2);
    int before = sent;
    passSeconds(10);
    assertThat(sent).isEqualTo(before);
    assertThat(casting.dueNs()).isEqualTo(Long.MAX_VALUE);
    assertThat(told).containsExactly("begin 2", "bytes 64", "dead 2");
  }

  @Test
  void whoComesBackInTheSameLifeGoesOnWhereItStopped() {
    begin(SENDER_LIFE);
    hear(data(0, 64));
    hear(data(2, 72));
    casting.onDead(nowNs, 2);
    casting.onDead(nowNs, 2);
    hear(data(1, 80));
    assertThat(told).as("the dead say nothing").containsExactly("begin 2", "bytes 64", "dead 2");
    long asked = casting.count(CastCount.NAKS_OUT);
    casting.onMember(nowNs, member(2, SENDER_LIFE));
    passSeconds(1);
    assertThat(casting.count(CastCount.NAKS_OUT)).isGreaterThan(asked);
    hear(data(1, 80));
    assertThat(told).containsExactly("begin 2", "bytes 64", "dead 2", "bytes 80", "bytes 72");
  }

  /** It did not wait for this node meanwhile. */
  @Test
  void whoComesBackAndHasGoneOnSaysWhatIsMissing() {
    begin(SENDER_LIFE);
    hear(data(0, 64));
    casting.onDead(nowNs, 2);
    casting.onMember(nowNs, member(2, SENDER_LIFE));
    hear(control(CastBlock.WELCOME, KEY, SENDER_LIFE, ID, LIFE, 7));
    hear(data(7, 72));
    assertThat(told).containsExactly("begin 2", "bytes 64", "dead 2", "gap 7", "bytes 72");
  }
}
