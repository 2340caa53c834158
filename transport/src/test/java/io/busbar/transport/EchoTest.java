package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Format;
import io.busbar.wire.Frame;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Header;
import io.busbar.wire.Key;
import io.busbar.wire.Options;
import io.busbar.wire.Seal;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ECHO is answered by the way it came, with less than was asked, and only who asked hears it. */
class EchoTest {
  private final Pair pair = new Pair(builder -> builder);
  private final List<byte[]> answers = new ArrayList<>();

  private static byte[] bytes(FrameBuilder frame) {
    byte[] bytes = new byte[frame.frameBytes()];
    frame.copyTo(MemorySegment.ofArray(bytes), 0);
    return bytes;
  }

  private boolean keep(int peer, FrameBuilder frame) {
    return answers.add(bytes(frame));
  }

  private void ask(long seq, int frameBytes) {
    pair.a.transport.echo(2, seq, frameBytes, (peer, frame) -> arrive(pair.b, bytes(frame)));
  }

  private boolean arrive(End at, byte[] frame) {
    MemorySegment segment = MemorySegment.ofArray(frame);
    at.transport.onFrame(pair.nowNs, segment, 0, frame.length, -1, this::keep);
    return true;
  }

  private static byte[] forged(long key, long seq, int options) {
    FrameBuilder out = new FrameBuilder(MemorySegment.ofArray(new byte[256]), false, Seal.NONE);
    out.begin();
    out.finish(Format.ECHO, 0, 1, 2, key, seq, 0, 0, options);
    return bytes(out);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 32, 33, 1000, 1472, 100_000})
  void aQuestionOfAnySizeIsAnsweredShortly(int frameBytes) {
    ask(77, frameBytes);
    assertThat(answers).hasSize(1);
    assertThat(answers.getFirst()).hasSize(Header.BYTES);
    Frame answer = new Sent(0, 2, answers.getFirst()).frame();
    long key = Key.of(0, 0, Pair.LIFE_A);
    assertThat(answer)
        .isEqualTo(
            new Frame.Other(
                new Frame.Envelope(0, 1, 2, key, 77, 0, 0, Options.RTN), Format.ECHO, 0));
    assertThat(pair.b.transport.counters().get(Count.ECHOES_OUT)).isEqualTo(1);
  }

  @Test
  void whoAskedHearsTheAnswer() {
    ask(77, 0);
    arrive(pair.a, answers.getFirst());
    assertThat(pair.a.echoes).containsExactly(77L);
    assertThat(answers).as("an answer is not answered").hasSize(1);
  }

  @Test
  void anAnswerToAnotherLifeIsNotHeard() {
    arrive(pair.a, forged(Key.of(0, 0, Pair.LIFE_B), 77, Options.RTN));
    arrive(pair.a, forged(Key.of(0, 1, Pair.LIFE_A), 77, Options.RTN));
    assertThat(pair.a.echoes).isEmpty();
    assertThat(pair.a.transport.counters().get(Count.DROP_WRONG_INCARNATION)).isEqualTo(2);
  }

  @Test
  void anotherClusterIsNotAnswered() {
    arrive(pair.a, forged(Key.of(1, 0, Pair.LIFE_B), 77, 0));
    assertThat(answers).isEmpty();
    assertThat(pair.a.transport.counters().get(Count.DROP_WRONG_CLUSTER)).isEqualTo(1);
    arrive(pair.a, forged(Key.of(0, 0, Pair.LIFE_B), 77, 0));
    assertThat(answers).hasSize(1);
  }

  @Test
  void aQuestionThatFindsNoRoomIsLost() {
    pair.a.transport.echo(2, 1, 0, (peer, frame) -> false);
    assertThat(pair.a.transport.counters().get(Count.ECHOES_OUT)).isZero();
    assertThat(pair.a.transport.hasFramesWaiting()).isFalse();
  }
}
