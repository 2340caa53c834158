package io.busbar.mpi;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What is waited for and is no request, so that it can be told from others. */
sealed interface Waited extends BooleanSupplier {
  /** That a message has come, or that none will. */
  record Probe(Matching matching, Communicator communicator, int context, int from, int tag)
      implements Waited {
    @Override
    public boolean getAsBoolean() {
      return has() || matching.hopeless(communicator, from) != null;
    }

    boolean has() {
      return matching.peek(context, from, tag) != null;
    }
  }

  /** That one of several requests is over. */
  record AnyOf(List<Request> requests) implements Waited {
    @Override
    public boolean getAsBoolean() {
      return requests.stream().anyMatch(Request::isDone);
    }
  }

  /** That nothing is left to do with some ranks of the world. */
  record Ranks(String why, BooleanSupplier over, Supplier<List<Integer>> ranks) implements Waited {
    @Override
    public boolean getAsBoolean() {
      return over.getAsBoolean();
    }
  }
}
