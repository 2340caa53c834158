package io.busbar.linux;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Owns one of the kernel's descriptors: it is closed once, and after that nobody gets its number.
 * It is closed only when no other thread is inside a call with it, because the kernel gives a
 * number that became free to whatever is opened next.
 */
public final class FileDescriptor implements AutoCloseable {
  private final int number;
  private final String name;
  private final AtomicBoolean closed = new AtomicBoolean();

  FileDescriptor(int number, String name) {
    this.number = number;
    this.name = name;
  }

  /** What a call returned: a new descriptor, or an exception. */
  static FileDescriptor of(int result, String name, String call) {
    return of(result, name, "open " + name, call);
  }

  /** What a call returned: a new descriptor, or an exception that names the purpose. */
  static FileDescriptor of(int result, String name, String purpose, String call) {
    if (result < 0) {
      throw new SystemCallException(purpose, call, -result);
    }
    return new FileDescriptor(result, name);
  }

  /** The kernel's number, for one call now; keep the object and not the number. */
  public int number() {
    if (closed.get()) {
      throw new IllegalStateException(name + " is closed");
    }
    return number;
  }

  /** What it is, as error messages name it. */
  public String name() {
    return name;
  }

  /** Whether it can still be used. */
  public boolean isOpen() {
    return !closed.get();
  }

  /** Gives it back; a second time does nothing. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      // The number is free whatever close returns, so there is nothing to repeat.
      FileCalls.close(number);
    }
  }

  @Override
  public String toString() {
    return closed.get() ? name + " (closed)" : name + " (descriptor " + number + ")";
  }
}
