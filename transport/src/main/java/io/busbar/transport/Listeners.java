package io.busbar.transport;

import io.busbar.transport.TransportException.Mistake;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The listening contexts, in the order in which they began to listen. FIRST is matched against
 * every one of them (A17).
 */
final class Listeners {
  private record Listener(int context, Criteria criteria, boolean once, ContextState state) {}

  private final int max;
  private final List<Listener> all = new ArrayList<>();
  private int nextContext = 1;

  Listeners(int max) {
    this.max = max;
  }

  int add(Criteria criteria, boolean once) {
    if (all.size() == max) {
      throw new TransportException(
          Mistake.NO_SLOT, "%d contexts listen already; that is the bound".formatted(max));
    }
    int context = nextContext++;
    all.add(new Listener(context, criteria, once, ContextState.QUIESCENT.listen()));
    return context;
  }

  void remove(int context) {
    if (!all.removeIf(listener -> listener.context == context)) {
      throw new TransportException(
          Mistake.NOT_LISTENING, "context %d does not listen".formatted(context));
    }
  }

  /** The context that takes the offer, or 0. */
  int match(Offer offer) {
    for (Listener listener : all) {
      if (listener.criteria.matches(offer)) {
        return listener.context;
      }
    }
    return 0;
  }

  /** The context became part of an association: one that listens once listens no more. */
  void onMatched(int context) {
    all.removeIf(listener -> listener.context == context && listener.once);
  }

  /** The state of a context, or null when it does not listen. */
  @Nullable ContextState state(int context) {
    for (Listener listener : all) {
      if (listener.context == context) {
        return listener.state;
      }
    }
    return null;
  }
}
