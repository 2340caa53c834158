package io.busbar.lab.bed;

import io.busbar.linux.NetworkNamespace;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A platform thread of this JVM that has entered a host's namespace, and stays there. */
final class HostThread implements AutoCloseable {
  private final String host;
  private final Duration limit;
  private final ExecutorService executor;
  private volatile @Nullable Thread thread;

  HostThread(String host, Duration limit) throws Exception {
    this.host = host;
    this.limit = limit;
    executor =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("bed-host " + host).factory());
    try {
      call(this::enter);
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  private Thread enter() {
    NetworkNamespace.enter(Namespaces.BOUND.resolve(host).toString());
    Thread self = Thread.currentThread();
    thread = self;
    return self;
  }

  /** Runs it there and waits for it; what it throws is thrown here. */
  <T extends @Nullable Object> T call(Callable<T> action) throws Exception {
    Thread caller = Thread.currentThread();
    if (caller.isVirtual()) {
      throw new IllegalStateException(
          "call this on a platform thread: waking a virtual thread from inside a host may start the"
              + " thread that carries it there, where it would stay");
    }
    if (caller.equals(thread)) {
      return action.call();
    }
    Future<T> task;
    try {
      task = executor.submit(action);
    } catch (RejectedExecutionException e) {
      throw new IllegalStateException("the bed of %s is closed".formatted(host), e);
    }
    try {
      return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case Exception cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw e;
      }
    } catch (TimeoutException e) {
      TestBedException failure =
          new TestBedException(
              "a call in %s did not return within %s; its thread is at\n%s"
                  .formatted(host, limit, stack()),
              e);
      task.cancel(true);
      throw failure;
    }
  }

  private String stack() {
    Thread inside = thread;
    return inside == null
        ? "(it has not begun)"
        : Arrays.stream(inside.getStackTrace())
            .map(frame -> "  " + frame)
            .collect(Collectors.joining("\n"));
  }

  /** Ends the thread after the call that it is in, if any. */
  @Override
  public void close() {
    executor.shutdownNow();
  }
}
