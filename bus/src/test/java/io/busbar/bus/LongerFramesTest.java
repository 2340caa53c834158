package io.busbar.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.CastBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A sender whose carriers take longer frames than those of the node that reads it. */
class LongerFramesTest extends CastReading {
  private static final int OWN_BYTES = 1440;
  private final List<byte[]> heard = new ArrayList<>();
  private final List<Integer> sentBytes = new ArrayList<>();
  private boolean deals = true;
  private int longest;

  /** What this reader said last of how far it may be sent to. */
  private long limit = -1;

  @Override
  public void onBytes(CastIn in, MemorySegment memory, long at, int length) {
    heard.add(memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
    if (deals) {
      casting.done(nowNs, in, length);
    }
  }

  @Override
  public int frameBytesMax() {
    return longest;
  }

  @Override
  public boolean toAll(FrameBuilder built) {
    if (built.frameBytes() > Header.BYTES + CastBlock.BYTES + CastBlock.READER_BYTES) {
      sentBytes.add(built.frameBytes());
    }
    return true;
  }

  @Override
  public void to(int id, FrameBuilder built) {
    byte[] bytes = new byte[built.frameBytes()];
    built.copyTo(MemorySegment.ofArray(bytes), 0);
    FrameView view = new FrameView();
    assertThat(view.wrap(MemorySegment.ofArray(bytes), 0, bytes.length).ok()).isTrue();
    if (CastBlock.kind(view) == CastBlock.STATUS) {
      limit = CastBlock.limit(view);
    }
  }

  /** What is said when it is asked. */
  private long limitNow() {
    limit = -1;
    hear(control(CastBlock.POLL, KEY, SENDER_LIFE, ID, LIFE, 0));
    nowNs += MS;
    long _ = casting.poll(nowNs);
    return limit;
  }

  private void say(long seq, int bytes) {
    int length = data(seq, bytes);
    frame.asSlice(Header.BYTES, bytes).fill((byte) seq);
    assertThat(hear(length)).isTrue();
  }

  private void checkHeard(int... lengths) {
    assertThat(heard).hasSize(lengths.length);
    for (int i = 0; i < lengths.length; i++) {
      byte[] expected = new byte[lengths[i]];
      Arrays.fill(expected, (byte) i);
      assertThat(heard.get(i)).as("frame %d", i).isEqualTo(expected);
    }
  }

  /** The last one of a chunk, too, behind which there is no memory. */
  @Test
  void theyAreHeldBesideOthersUntilTheirTurnComes() {
    hear(control(CastBlock.WELCOME, KEY, SENDER_LIFE, ID, LIFE, 0));
    int[] lengths = new int[66];
    for (int seq = lengths.length - 1; seq >= 0; seq--) {
      lengths[seq] = seq % 3 == 0 ? 8000 : seq % 3 == 1 ? OWN_BYTES : 64;
      say(seq, lengths[seq]);
    }
    checkHeard(lengths);
  }

  /** So it takes as many bytes as of frames of the own length, and what it said before a while. */
  @Test
  void whoDealsWithNothingTakesFewer() {
    deals = false;
    hear(control(CastBlock.WELCOME, KEY, SENDER_LIFE, ID, LIFE, 0));
    assertThat(limitNow()).isEqualTo(CastConfig.WINDOW_MAX);
    int times = 10;
    int bytes = times * OWN_BYTES;
    for (int seq = 0; seq < 40; seq++) {
      say(seq, bytes);
    }
    assertThat(limitNow()).isEqualTo(40 + (CastConfig.WINDOW_MAX - 40 * times) / times);
    int most = 2 * CastConfig.WINDOW_MAX / times;
    for (int seq = 40; seq < 3 * most; seq++) {
      say(seq, bytes);
    }
    assertThat(heard).hasSize(most);
    assertThat(limitNow()).isEqualTo(most);
  }

  /** A sender cuts longer ones while all who read take them, and has no more bytes on their way. */
  @Test
  void theWindowOfASenderIsOneOfBytes() {
    CastOut out = casting.open(nowNs, 0, 0, member -> true);
    longest = 16 << 10;
    long taken = fill(out);
    long window = (long) CastConfig.window(1) * OWN_BYTES;
    assertThat(taken).isBetween(window - 2000, window);
    assertThat(out.unsettledBytes()).isEqualTo(taken);
    assertThat(sentBytes).hasSizeBetween((int) (window / longest), (int) (window / longest) + 3);
    assertThat(sentBytes.getFirst()).isEqualTo(longest);
    longest = 0;
    settle(out);
    sentBytes.clear();
    assertThat(fill(out)).isBetween(window - 2000, window);
    assertThat(sentBytes).allMatch(bytes -> bytes <= OWN_BYTES + Header.BYTES);
  }

  /** Puts records in until there is no room for one more; their bytes. */
  private long fill(CastOut out) {
    MemorySegment record = MemorySegment.ofArray(new byte[1024]);
    long header = Records.header(Records.WHOLE, 0, 1, 1024);
    long bytes = 0;
    while (casting.trySend(out, header, record, 0, true)) {
      bytes += Records.streamBytes(1024);
    }
    for (int i = 0; i < 1000; i++) {
      nowNs += MS / 10;
      long _ = casting.poll(nowNs);
    }
    return bytes;
  }

  /** Its reader says that it has all. */
  private void settle(CastOut out) {
    long all = (out.unsettledBytes() + longestSent() - 1) / (longestSent() - Header.BYTES) + 1;
    for (long has = all; has > 0 && out.unsettledBytes() > 0; has--) {
      Header.write(
          frame, 0, Format.CASTC, 0, CastBlock.BYTES, ID, 2, out.key, SENDER_LIFE, 0, 0, 0);
      CastBlock.write(frame, Header.BYTES, CastBlock.STATUS, 0, 0, has, has + 1000, 0);
      boolean _ = hear(Header.BYTES + CastBlock.BYTES);
    }
    assertThat(out.unsettledBytes()).isZero();
  }

  private int longestSent() {
    return sentBytes.stream().mapToInt(bytes -> bytes).max().orElseThrow();
  }

  /** As much is held as would be of frames of the own length; what does not fit comes again. */
  @Test
  void theyTakeNoMoreMemoryThanOthers() {
    hear(control(CastBlock.WELCOME, KEY, SENDER_LIFE, ID, LIFE, 0));
    int fit = CastConfig.WINDOW_MAX * OWN_BYTES / 65_000;
    int sent = 2 * fit;
    for (int seq = 1; seq <= sent; seq++) {
      say(seq, 65_000);
    }
    assertThat(casting.count(CastCount.DROP_EARLY)).isEqualTo(sent - fit);
    for (int seq = 0; seq <= sent; seq++) {
      say(seq, 65_000);
    }
    assertThat(heard).hasSize(sent + 1);
  }
}
