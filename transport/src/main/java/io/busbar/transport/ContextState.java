package io.busbar.transport;

/**
 * The state diagram of a context (A15). Each state offers only the steps that lead out of it, so a
 * wrong transition does not compile.
 */
public sealed interface ContextState {
  /** Exists, and no packet moves. */
  Quiescent QUIESCENT = new Quiescent();

  /** Waits for a FIRST that fits. */
  Listening LISTENING = new Listening();

  /** Part of an association. */
  Active ACTIVE = new Active();

  /** Both streams are closed; only END is left to say. */
  Inactive INACTIVE = new Inactive();

  /** Where a context begins, and where it ends. */
  final class Quiescent implements ContextState {
    private Quiescent() {}

    Listening listen() {
      return LISTENING;
    }

    Active initiate() {
      return ACTIVE;
    }
  }

  /** Waiting for FIRST. */
  final class Listening implements ContextState {
    private Listening() {}

    Active match() {
      return ACTIVE;
    }

    Quiescent cancel() {
      return QUIESCENT;
    }
  }

  /** Streams may move. */
  final class Active implements ContextState {
    private Active() {}

    Inactive bothClosed() {
      return INACTIVE;
    }

    Quiescent abort() {
      return QUIESCENT;
    }
  }

  /** Streams are done. */
  final class Inactive implements ContextState {
    private Inactive() {}

    Quiescent dissolve() {
      return QUIESCENT;
    }
  }
}
