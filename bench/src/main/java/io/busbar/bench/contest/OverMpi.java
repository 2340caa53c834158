package io.busbar.bench.contest;

import io.busbar.mpi.Communicator;
import io.busbar.mpi.Datatype;
import io.busbar.mpi.World;
import io.busbar.node.Node;
import io.busbar.node.NodeConfig;
import org.jspecify.annotations.Nullable;

/** Busbar: MPI between two ranks, with arrays of bytes and calls that wait. */
final class OverMpi implements Contender {
  private static final int TAG = 1;

  private final NodeConfig config;
  private @Nullable World world;
  private @Nullable Communicator both;
  private byte[] bytes = {};

  OverMpi(String fabric, Place place) {
    config = Meetings.config(fabric, place.host(), place.asks(), place.directory());
  }

  @Override
  public String address() {
    return String.valueOf(config.meeting());
  }

  @Override
  public void connect(String other) {
    try {
      NodeConfig there = Meetings.at(config, other);
      World joined = World.join(user -> Node.join(there, user), there.size());
      both = joined.begin();
      world = joined;
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while joining", e);
    }
  }

  private Communicator ready(int length) {
    if (bytes.length < length) {
      bytes = new byte[length];
    }
    Communicator ready = both;
    if (ready == null) {
      throw new IllegalStateException("not connected");
    }
    return ready;
  }

  private void send(Communicator to, int length) {
    to.send(bytes, 0, length, Datatype.BYTE, 1 - to.rank(), TAG, false);
  }

  private void receive(Communicator from, int length) {
    from.receive(bytes, 0, length, Datatype.BYTE, 1 - from.rank(), TAG, null);
  }

  @Override
  public void ask(int length, int count, long[] roundTripsNs) {
    Communicator to = ready(length);
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      send(to, length);
      receive(to, length);
      roundTripsNs[i] = System.nanoTime() - start;
    }
  }

  @Override
  public void answer(int length, int count) {
    Communicator to = ready(length);
    for (int i = 0; i < count; i++) {
      receive(to, length);
      send(to, length);
    }
  }

  @Override
  public void flood(int length, int count) {
    Communicator to = ready(length);
    for (int i = 0; i < count; i++) {
      send(to, length);
    }
    receive(to, 1);
  }

  @Override
  public void sink(int length, int count) {
    Communicator to = ready(length);
    for (int i = 0; i < count; i++) {
      receive(to, length);
    }
    send(to, 1);
  }

  @Override
  public void close() {
    if (world != null) {
      world.close();
    }
  }
}
