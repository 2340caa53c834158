package io.busbar.mpi;

import io.busbar.mpi.MpiError.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collectives between two groups: data go from one side to the other. The root names itself as
 * {@link Communicator#ROOT}, the others of its side nobody, and the other side its rank.
 */
final class InterCollectives {
  private final Collectives messages;
  private final int others;
  private final int rank;

  InterCollectives(Communicator communicator, Collectives messages) {
    this.messages = messages;
    this.others = communicator.remoteSize();
    this.rank = communicator.rank();
  }

  private void checkRoot(int root) {
    if (root != Communicator.ROOT && root != Communicator.NOBODY && (root < 0 || root >= others)) {
      throw new MpiError(
          Kind.ROOT, "root %d; allowed: ROOT, PROC_NULL, 0 to %d".formatted(root, others - 1));
    }
  }

  void barrier() {
    messages.onSide().barrier();
    if (rank == 0) {
      Request sent = messages.startSend(null, 0, 0, Datatype.BYTE, 0);
      messages.receive(null, 0, 0, Datatype.BYTE, 0);
      sent.await();
    }
    messages.onSide().broadcast(new byte[1], 0, 1, Datatype.BYTE, 0);
  }

  void broadcast(@Nullable Object memory, long at, int count, Datatype type, int root) {
    checkRoot(root);
    if (root == Communicator.ROOT) {
      messages.send(memory, at, count, type, 0);
    } else if (root != Communicator.NOBODY) {
      if (rank == 0) {
        messages.receive(memory, at, count, type, root);
      }
      messages.onSide().broadcast(memory, at, count, type, 0);
    }
  }

  void gatherv(
      @Nullable Object out,
      long outAt,
      int outCount,
      Datatype outType,
      @Nullable Object in,
      long inAt,
      int[] inCounts,
      int[] inPlaces,
      Datatype inType,
      int root) {
    checkRoot(root);
    if (root == Communicator.ROOT) {
      receiveAll(in, inAt, inCounts, inPlaces, inType);
    } else if (root != Communicator.NOBODY) {
      Collectives.checkMemory(out, outAt, outCount, outType);
      messages.send(out, outAt, outCount, outType, root);
    }
  }

  private void receiveAll(
      @Nullable Object in, long inAt, int[] counts, int[] places, Datatype type) {
    Collectives.checkParts(in, inAt, counts, places, type, others);
    List<Request> coming = new ArrayList<>();
    for (int i = 0; i < others; i++) {
      coming.add(messages.startReceive(in, inAt + places[i] * type.extent(), counts[i], type, i));
    }
    Collectives.finish(coming);
  }

  void scatterv(
      @Nullable Object out,
      long outAt,
      int[] outCounts,
      int[] outPlaces,
      Datatype outType,
      @Nullable Object in,
      long inAt,
      int inCount,
      Datatype inType,
      int root) {
    checkRoot(root);
    if (root == Communicator.ROOT) {
      Collectives.checkParts(out, outAt, outCounts, outPlaces, outType, others);
      List<Request> leaving = new ArrayList<>();
      for (int i = 0; i < others; i++) {
        long at = outAt + outPlaces[i] * outType.extent();
        leaving.add(messages.startSend(out, at, outCounts[i], outType, i));
      }
      Collectives.finish(leaving);
    } else if (root != Communicator.NOBODY) {
      Collectives.checkMemory(in, inAt, inCount, inType);
      messages.receive(in, inAt, inCount, inType, root);
    }
  }

  void allGatherv(
      @Nullable Object out,
      long outAt,
      int outCount,
      Datatype outType,
      @Nullable Object in,
      long inAt,
      int[] inCounts,
      int[] inPlaces,
      Datatype inType) {
    Collectives.checkMemory(out, outAt, outCount, outType);
    Collectives.checkParts(in, inAt, inCounts, inPlaces, inType, others);
    List<Request> all = new ArrayList<>();
    for (int i = 0; i < others; i++) {
      long at = inAt + inPlaces[i] * inType.extent();
      all.add(messages.startReceive(in, at, inCounts[i], inType, i));
    }
    for (int i = 0; i < others; i++) {
      all.add(messages.startSend(out, outAt, outCount, outType, i));
    }
    Collectives.finish(all);
  }

  void reduce(
      @Nullable Object out,
      long outAt,
      @Nullable Object in,
      long inAt,
      int count,
      Datatype type,
      Operation operation,
      int root) {
    checkRoot(root);
    if (root == Communicator.ROOT) {
      Collectives.checkMemory(in, inAt, count, type);
      messages.receive(in, inAt, count, type, 0);
    } else if (root != Communicator.NOBODY) {
      Scratch made = reduceHere(out, outAt, count, type, operation);
      if (rank == 0) {
        messages.send(made.array, made.atBytes(), count, type, root);
      }
    }
  }

  private Scratch reduceHere(
      @Nullable Object out, long outAt, int count, Datatype type, Operation operation) {
    Scratch made = new Scratch(type, count);
    messages.onSide().reduce(out, outAt, made.array, made.atBytes(), count, type, operation, 0);
    return made;
  }

  void allReduce(
      @Nullable Object out,
      long outAt,
      @Nullable Object in,
      long inAt,
      int count,
      Datatype type,
      Operation operation) {
    Collectives.checkMemory(in, inAt, count, type);
    Scratch made = reduceHere(out, outAt, count, type, operation);
    swap(made, count, in, inAt, count, type);
    messages.onSide().broadcast(in, inAt, count, type, 0);
  }

  private void swap(
      Scratch made, int count, @Nullable Object in, long inAt, int inCount, Datatype type) {
    if (rank == 0) {
      Request sent = messages.startSend(made.array, made.atBytes(), count, type, 0);
      messages.receive(in, inAt, inCount, type, 0);
      Collectives.finish(List.of(sent));
    }
  }

  void reduceScatter(
      @Nullable Object out,
      long outAt,
      @Nullable Object in,
      long inAt,
      int[] counts,
      int[] places,
      int total,
      Datatype type,
      Operation operation) {
    Collectives.checkMemory(in, inAt, counts[rank], type);
    Scratch made = reduceHere(out, outAt, total, type, operation);
    Scratch theirs = new Scratch(type, total);
    swap(made, total, theirs.array, theirs.atBytes(), total, type);
    messages
        .onSide()
        .scatterv(
            theirs.array, theirs.atBytes(), counts, places, type, in, inAt, counts[rank], type, 0);
  }
}
