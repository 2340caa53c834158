package io.busbar.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.CastBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import io.busbar.wire.Key;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A member that speaks to all, or answers who does, and has no time for questions. */
class SignTest extends BusHearing {
  private static final long SECOND_NS = 1_000 * MS;
  private static final long LIFE = 1002;

  private final List<MemberEvent.What> told = new ArrayList<>();
  private final Membership one = member(1, CLUSTER, new Kept(), new Noted());
  private long nowNs;

  private final class Noted implements MemberEvents {
    @Override
    public void onMember(MemberEvent event) {
      told.add(event.what());
    }
  }

  private SignTest() {
    Kept said = new Kept();
    Membership two = member(2, CLUSTER, said);
    run(200 * MS, new byte[0]);
    said.add(two.hello());
    assertThat(hear(one, nowNs, said.frames.getLast(), new Kept())).isTrue();
    told.clear();
  }

  /** So long, while such a frame comes every 50 ms; none if it is empty. */
  private void run(long ns, byte[] frame) {
    FrameView view = new FrameView();
    for (long end = nowNs + ns; nowNs < end; nowNs += 10 * MS) {
      if (frame.length > 0 && nowNs % (50 * MS) == 0) {
        assertThat(view.wrap(MemorySegment.ofArray(frame), 0, frame.length).ok()).isTrue();
        one.onSign(nowNs, view);
      }
      long _ = one.poll(nowNs);
    }
  }

  private static byte[] data(long life) {
    byte[] frame = new byte[Header.BYTES + 8];
    Header.write(
        MemorySegment.ofArray(frame),
        0,
        Format.CAST,
        0,
        8,
        Header.EVERYONE,
        2,
        Key.of(0, 0, life),
        5,
        0,
        CastBlock.NOBODY,
        0);
    return frame;
  }

  private static byte[] status(long life) {
    byte[] frame = new byte[Header.BYTES + CastBlock.BYTES];
    MemorySegment at = MemorySegment.ofArray(frame);
    long ofOne = Key.of(0, 0, 1001);
    Header.write(at, 0, Format.CASTC, 0, CastBlock.BYTES, 1, 2, ofOne, life, 0, 0, 0);
    CastBlock.write(at, Header.BYTES, CastBlock.STATUS, 0, 7, 5, 100, 0);
    return frame;
  }

  private void livesWhileItSpeaks(byte[] frame) {
    run(20 * SECOND_NS, frame);
    assertThat(told).isEmpty();
    run(2 * SECOND_NS, new byte[0]);
    assertThat(told).containsExactly(MemberEvent.What.SUSPECTED, MemberEvent.What.DIED);
  }

  @Test
  void whoSpeaksToAllLives() {
    livesWhileItSpeaks(data(LIFE));
  }

  @Test
  void whoAnswersASpeakerLives() {
    livesWhileItSpeaks(status(LIFE));
  }

  /** One that is suspected, and begins to speak, is not buried; only its own word clears it. */
  @Test
  void whoSpeaksUnderSuspicionIsNotBuried() {
    while (!told.contains(MemberEvent.What.SUSPECTED)) {
      run(10 * MS, new byte[0]);
    }
    run(20 * SECOND_NS, data(LIFE));
    assertThat(told).containsExactly(MemberEvent.What.SUSPECTED);
    run(2 * SECOND_NS, new byte[0]);
    assertThat(told).containsExactly(MemberEvent.What.SUSPECTED, MemberEvent.What.DIED);
  }

  @Test
  void whatAnotherLifeSaysIsNoSign() {
    run(SECOND_NS, data(LIFE + 1));
    run(SECOND_NS, status(LIFE + 1));
    run(SECOND_NS, new byte[0]);
    assertThat(told).containsExactly(MemberEvent.What.SUSPECTED, MemberEvent.What.DIED);
  }
}
