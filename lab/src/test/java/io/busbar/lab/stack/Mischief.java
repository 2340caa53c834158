package io.busbar.lab.stack;

import io.busbar.node.Lane;
import io.busbar.node.LaneUser;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What may go wrong between an engine and the messages over it. */
enum Mischief {
  RECORD_LOST,
  RECORD_TWICE,
  RECORDS_SWAPPED,
  RECORD_CHANGED,
  RECORD_CUT,
  RECORD_OF_ANOTHER_NODE,
  RECORD_OF_ANOTHER_HANDLER,
  PIECE_LOST,
  PIECE_TWICE,
  PIECE_CHANGED,
  PIECE_OF_ANOTHER_BODY,
  LAST_PIECE_NOT_TOLD,
  MEMORY_NOT_GIVEN_BACK,
  ROOM_NOT_TOLD,
  END_NOT_TOLD,
  END_TOLD_TWICE,
  END_WITHOUT_REASON;

  /** Records of a node that pass before something happens to one. */
  private static final int UNHARMED = 5;

  StackScenario.Seam seam() {
    return (node, user) -> new Troublemaker(this, user);
  }

  private static final class Troublemaker implements LaneUser {
    private final Mischief mischief;
    private final LaneUser user;
    private int records;
    private int pieces;
    private @Nullable Lane another;
    private @Nullable Runnable heldBack;

    Troublemaker(Mischief mischief, LaneUser user) {
      this.mischief = mischief;
      this.user = user;
    }

    @Override
    public void onLane(Lane lane) {
      user.onLane(lane);
    }

    @Override
    public void onRecord(Lane lane, long header, MemorySegment memory, long at, int length) {
      boolean harms = ++records % UNHARMED == 0;
      if (!harms || !isHarmed(lane, header, memory, at, length)) {
        user.onRecord(lane, header, memory, at, length);
      }
      if (!harms && heldBack != null) {
        heldBack.run();
        heldBack = null;
      }
      another = lane;
    }

    /** Does something to a record, if it can; whether the record must not pass any more. */
    private boolean isHarmed(Lane lane, long header, MemorySegment memory, long at, int length) {
      Lane other = another;
      return switch (mischief) {
        case RECORD_LOST -> true;
        case RECORD_TWICE -> {
          user.onRecord(lane, header, memory, at, length);
          yield false;
        }
        case RECORDS_SWAPPED -> {
          MemorySegment copy = MemorySegment.ofArray(bytes(memory, at, length));
          heldBack = () -> user.onRecord(lane, header, copy, 0, length);
          yield true;
        }
        case RECORD_CHANGED ->
            length > 0
                && change(
                    memory,
                    at,
                    length,
                    b -> b[length / 2] ^= 4,
                    c -> user.onRecord(lane, header, c, 0, length));
        case RECORD_CUT -> {
          user.onRecord(
              lane, length > 0 ? header - 1 : header, memory, at, Math.max(0, length - 1));
          yield true;
        }
        case RECORD_OF_ANOTHER_NODE -> {
          user.onRecord(other == null ? lane : other, header, memory, at, length);
          yield true;
        }
        case RECORD_OF_ANOTHER_HANDLER -> {
          user.onRecord(lane, header ^ 1L << 48, memory, at, length);
          yield true;
        }
        case END_WITHOUT_REASON -> {
          user.onEnded(lane, "no reason");
          yield false;
        }
        default -> false;
      };
    }

    private static boolean change(
        MemorySegment memory,
        long at,
        int length,
        Consumer<byte[]> change,
        Consumer<MemorySegment> pass) {
      byte[] copy = bytes(memory, at, length);
      change.accept(copy);
      pass.accept(MemorySegment.ofArray(copy));
      return true;
    }

    private static byte[] bytes(MemorySegment memory, long at, int length) {
      return memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void onBody(Lane lane, long body, int flags, MemorySegment memory, long at, int length) {
      boolean harms = length > 0 && ++pieces % UNHARMED == 0;
      if (mischief == LAST_PIECE_NOT_TOLD) {
        user.onBody(lane, body, 0, memory, at, length);
      } else if (!harms || !isPieceHarmed(lane, body, flags, memory, at, length)) {
        user.onBody(lane, body, flags, memory, at, length);
      }
    }

    /** Does something to a piece; whether it must not pass any more. */
    private boolean isPieceHarmed(
        Lane lane, long body, int flags, MemorySegment memory, long at, int length) {
      return switch (mischief) {
        case PIECE_LOST -> true;
        case PIECE_TWICE -> {
          user.onBody(lane, body, 0, memory, at, length);
          yield false;
        }
        case PIECE_CHANGED ->
            change(
                memory,
                at,
                length,
                b -> b[length / 2] ^= 4,
                c -> user.onBody(lane, body, flags, c, 0, length));
        case PIECE_OF_ANOTHER_BODY -> {
          user.onBody(lane, body + 1, flags, memory, at, length);
          yield true;
        }
        default -> false;
      };
    }

    @Override
    public void onReleased(Lane lane, long token, boolean delivered) {
      if (mischief != MEMORY_NOT_GIVEN_BACK && mischief != ROOM_NOT_TOLD) {
        user.onReleased(lane, token, delivered);
      }
    }

    @Override
    public void onSendable(Lane lane) {
      if (mischief != ROOM_NOT_TOLD) {
        user.onSendable(lane);
      }
    }

    @Override
    public void onEnded(Lane lane, String why) {
      if (mischief != END_NOT_TOLD) {
        user.onEnded(lane, why);
      }
      if (mischief == END_TOLD_TWICE) {
        user.onEnded(lane, why);
      }
    }
  }
}
