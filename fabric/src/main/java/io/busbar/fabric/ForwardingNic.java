package io.busbar.fabric;

import io.busbar.linux.PollSet;
import io.busbar.memory.Pool;
import io.busbar.memory.Role;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Hands every call to the interface below; a decorator overrides what it changes. */
public abstract class ForwardingNic implements Nic {
  /** What is decorated; it belongs to this one, and is closed with it. */
  protected final Nic below;

  /** Over any interface, decorated or not. */
  protected ForwardingNic(Nic below) {
    this.below = below;
  }

  @Override
  public String fabric() {
    return below.fabric();
  }

  @Override
  public NicAddress address() {
    return below.address();
  }

  @Override
  public void rename(int node, long incarnation) {
    below.rename(node, incarnation);
  }

  @Override
  public Set<NicCapability> capabilities() {
    return below.capabilities();
  }

  @Override
  public NicCounters counters() {
    return below.counters();
  }

  @Override
  public int open(NicAddress peer) {
    return below.open(peer);
  }

  @Override
  public NicAddress address(int peer) {
    return below.address(peer);
  }

  @Override
  public void close(int peer) {
    below.close(peer);
  }

  @Override
  public int frameBytesMax(int peer) {
    return below.frameBytesMax(peer);
  }

  @Override
  public MemorySegment transmitMemory() {
    return below.transmitMemory();
  }

  @Override
  public long reserve(int peer, int length) {
    return below.reserve(peer, length);
  }

  @Override
  public void commit(int length) {
    below.commit(length);
  }

  @Override
  public void abandon() {
    below.abandon();
  }

  @Override
  public long transmit(int peer, MemorySegment from, long offset, int length) {
    return below.transmit(peer, from, offset, length);
  }

  @Override
  public long transmit(int peer, FrameBuilder frame) {
    return below.transmit(peer, frame);
  }

  @Override
  public long transfer(int peer, long handle, Role from, int length) {
    return below.transfer(peer, handle, from, length);
  }

  @Override
  public Pool pool() {
    return below.pool();
  }

  @Override
  public boolean isComplete(long ticket) {
    return below.isComplete(ticket);
  }

  @Override
  public int flush() {
    return below.flush();
  }

  @Override
  public void register(MemorySegment memory) {
    below.register(memory);
  }

  @Override
  public void deregister(MemorySegment memory) {
    below.deregister(memory);
  }

  @Override
  public int poll(FrameReceiver receiver, int budget) {
    return below.poll(receiver, budget);
  }

  @Override
  public NicAddress source() {
    return below.source();
  }

  @Override
  public boolean cameToEveryone() {
    return below.cameToEveryone();
  }

  @Override
  public boolean claim(long frame) {
    return below.claim(frame);
  }

  @Override
  public void release(long frame) {
    below.release(frame);
  }

  @Override
  public void listen(PollSet set) {
    below.listen(set);
  }

  @Override
  public boolean arm() {
    return below.arm();
  }

  @Override
  public void disarm() {
    below.disarm();
  }

  @Override
  public void close() {
    below.close();
  }
}
