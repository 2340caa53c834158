package io.busbar.lab;

import io.busbar.wire.Format;
import io.busbar.wire.FrameView;
import io.busbar.wire.Options;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Every frame of a pair, in short: time, fate, sender, format, and the options that stories tell.
 */
final class FrameLog implements Network.Watcher {
  /** A frame and its fate. */
  record Line(long nowNs, String what, int from, int format, int options, int bytes) {
    boolean isSent(int wanted) {
      return what.equals("sent") && format == wanted;
    }

    @Override
    public String toString() {
      String repair = (options & Options.REPAIR) == 0 ? "" : " again";
      return "%s %s by %d%s".formatted(Format.name(format), what, from, repair);
    }
  }

  private final FrameView view = new FrameView();
  final List<Line> lines = new ArrayList<>();

  @Override
  public void onFrame(long nowNs, String what, MemorySegment bytes, int length) {
    if (view.wrap(bytes, 0, length).ok()) {
      lines.add(new Line(nowNs, what, view.from(), view.format(), view.options(), length));
    }
  }

  List<String> all(Predicate<Line> wanted) {
    return lines.stream().filter(wanted).map(Line::toString).toList();
  }
}
