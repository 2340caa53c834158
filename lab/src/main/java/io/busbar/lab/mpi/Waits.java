package io.busbar.lab.mpi;

import io.busbar.lab.stack.SimProcess;
import io.busbar.mpi.MpiError;
import io.busbar.mpi.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Waits for several things, in one of the ways there are. */
final class Waits {
  private static final int LOOKS_MAX = 10;
  private static final int BETWEEN_LOOKS_NS_MAX = 500_000;

  private final Errors errors;
  private final SimProcess process;
  private final SplittableRandom random;
  private final List<Pending> open = new ArrayList<>();

  Waits(SimProcess process, Errors errors) {
    this.errors = errors;
    this.process = process;
    this.random = process.random();
  }

  void add(Pending pending) {
    open.add(random.nextInt(open.size() + 1), pending);
  }

  void awaitAll() {
    switch (random.nextInt(3)) {
      case 0 -> lookOften();
      case 1 -> awaitAny();
      default -> {}
    }
    while (!open.isEmpty()) {
      Pending next = open.removeLast();
      next.request().await();
      end(next);
    }
  }

  private void awaitAny() {
    while (!open.isEmpty()) {
      List<Request> requests = open.stream().map(Pending::request).toList();
      Request.awaitAny(requests);
      endThoseThatAreOver();
    }
  }

  private void lookOften() {
    for (int i = 0; i < LOOKS_MAX && !open.isEmpty(); i++) {
      endThoseThatAreOver();
      process.pass(1 + random.nextInt(BETWEEN_LOOKS_NS_MAX));
    }
  }

  private void endThoseThatAreOver() {
    for (Pending one : List.copyOf(open)) {
      if (one.request().test()) {
        boolean _ = open.remove(one);
        end(one);
      }
    }
  }

  private void end(Pending over) {
    over.onOver().run();
    MpiError error = over.request().error();
    if (error != null) {
      errors.onError(over.peer(), error);
    }
  }
}
