package io.busbar.lab;

import io.busbar.wire.FramePrinter;
import io.busbar.wire.FrameView;
import io.busbar.wire.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.function.Consumer;

/** Writes every frame and its fate on a line: time in microseconds, fate, frame. */
public final class TraceLine implements Network.Watcher {
  private final FrameView view = new FrameView();
  private final Consumer<String> to;

  /** Lines go to {@code to}. */
  public TraceLine(Consumer<String> to) {
    this.to = to;
  }

  @Override
  public void onFrame(long nowNs, String what, MemorySegment bytes, int length) {
    Verdict verdict = view.wrap(bytes, 0, length);
    String frame =
        verdict.ok() ? FramePrinter.line(view) : "%d bytes, %s".formatted(length, verdict);
    to.accept(String.format(Locale.ROOT, "%14.3f  %-9s  %s", nowNs / 1e3, what, frame));
  }
}
