package io.busbar.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.testkit.AllocationMeter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a send and a receive of an array cost the heap once they are warm: nothing, at both ends.
 */
@Timeout(120)
class SteadyStateTest extends Ranks {
  private static final int TRIPS = 10_000;
  private static final int BYTES_MAX = 1024; // less than one small object in a hundred trips
  private static final int ATTEMPTS = 100;

  /** The next loop is the last one. */
  private volatile boolean over;

  private volatile boolean otherIsWarm;

  private static Object array(String type, int length) {
    return switch (type) {
      case "BYTE" -> new byte[length];
      case "INT" -> new int[length];
      case "LONG" -> new long[length];
      case "DOUBLE" -> new double[length];
      default -> throw new IllegalArgumentException(type);
    };
  }

  private static Datatype datatype(String type) {
    return switch (type) {
      case "BYTE" -> Datatype.BYTE;
      case "INT" -> Datatype.INT;
      case "LONG" -> Datatype.LONG;
      case "DOUBLE" -> Datatype.DOUBLE;
      default -> throw new IllegalArgumentException(type);
    };
  }

  @ParameterizedTest
  @CsvSource({"BYTE, 1", "INT, 16", "DOUBLE, 128", "LONG, 1000"})
  void sendAndReceiveAllocateNothing(String name, int length) throws Exception {
    Datatype type = datatype(name);
    run(
        2,
        world -> {
          Object out = array(name, length);
          Object in = array(name, length);
          if (world.rank() == 0) {
            measure(() -> ask(world, out, in, length, type));
          } else {
            answer(world, in, length, type);
          }
        });
  }

  private void measure(Runnable loop) {
    new AllocationMeter().assertLoopAllocatesNothing(loop);
    for (int attempt = 0; attempt < ATTEMPTS && !otherIsWarm; attempt++) {
      loop.run(); // the other one may need longer to get warm
    }
    over = true;
    loop.run();
  }

  private static void ask(Communicator world, Object out, Object in, int length, Datatype type) {
    for (int i = 0; i < TRIPS; i++) {
      world.send(out, 0, length, type, 1, 0, false);
      world.receive(in, 0, length, type, 1, 0, null);
    }
  }

  private void answer(Communicator world, Object memory, int length, Datatype type) {
    AllocationMeter meter = new AllocationMeter();
    long least = Long.MAX_VALUE;
    boolean isLast = false;
    while (!isLast) {
      world.receive(memory, 0, length, type, 0, 0, null);
      isLast = over;
      world.send(memory, 0, length, type, 0, 0, false);
      long before = meter.bytes();
      for (int i = 1; i < TRIPS; i++) {
        world.receive(memory, 0, length, type, 0, 0, null);
        world.send(memory, 0, length, type, 0, 0, false);
      }
      least = Math.min(least, meter.bytes() - before);
      otherIsWarm = least <= BYTES_MAX;
    }
    assertThat(least).as("bytes for %d receives and sends", TRIPS).isLessThanOrEqualTo(BYTES_MAX);
  }
}
