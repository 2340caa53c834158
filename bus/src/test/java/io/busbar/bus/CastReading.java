package io.busbar.bus;

import io.busbar.wire.CastBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Header;
import io.busbar.wire.Key;
import io.busbar.wire.MemberCard;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Node 1, which reads what node 2 says to all, and notes what it is told. */
abstract class CastReading implements CastSink, CastUser {
  static final int ID = 1;
  static final long LIFE = 1001;
  static final long SENDER_LIFE = 1002;
  static final long MS = 1_000_000;
  static final long KEY = Key.of(0, 0, SENDER_LIFE);

  final List<String> told = new ArrayList<>();
  final Casting casting =
      new Casting(new CastConfig(ID, LIFE, 1, 1472, CastConfig.PACE_NS), this, this);
  final MemorySegment frame = MemorySegment.ofArray(new byte[1 << 16]);
  long nowNs = MS;
  int sent;

  CastReading() {
    casting.onMember(nowNs, member(2, SENDER_LIFE));
  }

  static Member member(int id, long life) {
    MemberCard card = new MemberCard("n", "h", List.of(), Map.of());
    return new Member(id, life, 0, MemberState.ALIVE, card);
  }

  @Override
  public boolean toAll(FrameBuilder built) {
    sent++;
    return true;
  }

  @Override
  public void to(int id, FrameBuilder built) {
    sent++;
  }

  @Override
  public void onBegin(CastIn in, long message) {
    told.add("begin " + in.sender());
  }

  @Override
  public void onBytes(CastIn in, MemorySegment memory, long at, int length) {
    told.add("bytes " + length);
    casting.done(nowNs, in, length);
  }

  @Override
  public void onGap(CastIn in, long message) {
    told.add("gap " + message);
  }

  @Override
  public void onEvicted(CastIn in) {
    told.add("evicted by " + in.sender());
  }

  @Override
  public void onDead(CastIn in) {
    told.add("dead " + in.sender());
  }

  @Override
  public void onEnd(CastIn in) {
    told.add("end " + in.sender());
  }

  @Override
  public void onEvicted(CastOut out, int reader) {
    told.add("evicted " + reader);
  }

  @Override
  public void onRoom(CastOut out) {}

  final boolean hear(int length) {
    nowNs += MS / 10;
    boolean used = casting.onFrame(nowNs, frame, 0, length);
    for (int i = 0; i < 100 && casting.dueNs() <= nowNs; i++) {
      long _ = casting.poll(nowNs);
    }
    return used;
  }

  /** A frame of the sender's about a stream, with one reader: this node. */
  final int control(int kind, long key, long senderLife, int reader, long life, long start) {
    int length = CastBlock.BYTES + CastBlock.READER_BYTES;
    Header.write(frame, 0, Format.CASTC, 0, length, Header.EVERYONE, 2, key, senderLife, 0, 0, 0);
    CastBlock.write(frame, Header.BYTES, kind, 1, 7, start, start, 0);
    CastBlock.writeReader(frame, Header.BYTES + CastBlock.BYTES, reader, life, start, start);
    return Header.BYTES + length;
  }

  final int data(long seq, int bytes) {
    return dataOf(KEY, seq, bytes);
  }

  final int dataOf(long key, long seq, int bytes) {
    Header.write(
        frame, 0, Format.CAST, 0, bytes, Header.EVERYONE, 2, key, seq, 0, CastBlock.NOBODY, 0);
    return Header.BYTES + bytes;
  }
}
