package io.busbar.mpi;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.busbar.mpi.MpiError.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Before a collective that is checked: all tell the first of them what they call, and that one
 * tells all what it thinks of it. These messages come before those of the collective itself, so
 * that they may have its tag.
 */
final class Agreement {
  private final Communicator communicator;
  private final Communicator all;
  private final int call;

  /** For a call of a communicator, by its number. */
  Agreement(Communicator communicator, int call) {
    this.communicator = communicator;
    this.all = communicator.everybody();
    this.call = call;
  }

  /** Returns if all call the same; if not, it is an error everywhere. */
  void reach(Call mine) {
    if (all.rank() != 0) {
      send(mine.toBytes(), 0);
      hear();
      return;
    }
    List<@Nullable Call> calls = new ArrayList<>();
    calls.add(mine);
    String absent = "";
    for (int i = 1; i < all.size(); i++) {
      byte[] theirs = new byte[Call.BYTES];
      try {
        receive(theirs, i);
        calls.add(Call.read(theirs));
      } catch (MpiError e) {
        calls.add(null);
        absent = "; " + e.getMessage();
      }
    }
    boolean isInter = communicator.isInter();
    int firstSide = isInter ? communicator.firstSide().size() : 0;
    List<Integer> label =
        IntStream.range(0, all.size()).mapToObj(i -> isInter ? all.nodeOf(i) : i).toList();
    Verdict verdict = Verdict.of(calls, firstSide, label);
    tell(verdict.kind() == null ? verdict : new Verdict(verdict.kind(), verdict.text() + absent));
  }

  private void tell(Verdict verdict) {
    Kind kind = verdict.kind();
    byte[] text = kind == null ? new byte[0] : (kind + " " + verdict.text()).getBytes(UTF_8);
    int[] length = {text.length};
    for (int i = 1; i < all.size(); i++) {
      try {
        all.sendIn(all.collectiveContext(), length, 0, 1, Datatype.INT, i, call, false);
        if (kind != null) {
          send(text, i);
        }
      } catch (MpiError e) {
        // It is gone, and hears no verdict.
      }
    }
    if (kind != null) {
      throw error(kind, verdict.text());
    }
  }

  private void hear() {
    int[] length = new int[1];
    all.receiveIn(all.collectiveContext(), length, 0, 1, Datatype.INT, 0, call, null);
    if (length[0] > 0) {
      byte[] bytes = new byte[length[0]];
      receive(bytes, 0);
      String text = new String(bytes, UTF_8);
      int space = text.indexOf(' ');
      throw error(Kind.valueOf(text.substring(0, space)), text.substring(space + 1));
    }
  }

  private MpiError error(Kind kind, String text) {
    String where = communicator.name() + (communicator.isInter() ? ", by ranks of the world" : "");
    return new MpiError(kind, "not the same call everywhere in %s: %s".formatted(where, text));
  }

  private void send(byte[] bytes, int to) {
    int in = all.collectiveContext();
    all.sendIn(in, bytes, 0, bytes.length, Datatype.BYTE, to, call, false);
  }

  private void receive(byte[] bytes, int from) {
    int in = all.collectiveContext();
    all.receiveIn(in, bytes, 0, bytes.length, Datatype.BYTE, from, call, null);
  }
}
