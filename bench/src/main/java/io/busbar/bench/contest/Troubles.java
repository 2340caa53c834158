package io.busbar.bench.contest;

import io.busbar.messages.Handler;
import io.busbar.messages.MessageEvents;
import org.jspecify.annotations.Nullable;

/** What has happened to messages that would otherwise be waited for in vain. */
public final class Troubles implements MessageEvents {
  private volatile @Nullable String latest;

  /** None yet. */
  public Troubles() {}

  /** Refuses to go on after one. */
  public void check() {
    String trouble = latest;
    if (trouble != null) {
      throw new IllegalStateException(trouble);
    }
  }

  /** The last one in words, or that there is none. */
  @Override
  public String toString() {
    String trouble = latest;
    return trouble == null ? "no trouble" : trouble;
  }

  @Override
  public void onHandlerFailed(Handler handler, int from, long bytes, Throwable why) {
    latest = "the handler %s failed: %s".formatted(handler.name(), why);
  }

  @Override
  public void onUnknownHandler(int number, int from, long bytes) {
    latest = "there is no handler %d".formatted(number);
  }

  @Override
  public void onNodeGone(int node, String why) {
    latest = "node %d is gone: %s".formatted(node, why);
  }
}
