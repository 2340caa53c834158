package io.busbar.node;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/**
 * Lets {@link Thread#interrupt} ring a bell while a thread sleeps in the kernel: a native poll does
 * not notice it, but a thread that is inside a selector's {@code begin} and {@code end} has its
 * selector woken. It selects nothing.
 */
final class Interruption extends AbstractSelector {
  private final Runnable bell;

  Interruption(Runnable bell) {
    super(SelectorProvider.provider());
    this.bell = bell;
  }

  /** Sleeps, and is rung out of it by an interrupt; who is interrupted already does not sleep. */
  void during(Runnable sleep) {
    begin();
    try {
      sleep.run();
    } finally {
      end();
    }
  }

  @Override
  public Selector wakeup() {
    bell.run();
    return this;
  }

  @Override
  protected void implCloseSelector() throws IOException {}

  @Override
  protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
    throw new UnsupportedOperationException("nothing is selected here");
  }

  @Override
  public Set<SelectionKey> keys() {
    return Set.of();
  }

  @Override
  public Set<SelectionKey> selectedKeys() {
    return Set.of();
  }

  @Override
  public int selectNow() {
    return 0;
  }

  @Override
  public int select(long timeout) {
    return 0;
  }

  @Override
  public int select() {
    return 0;
  }
}
