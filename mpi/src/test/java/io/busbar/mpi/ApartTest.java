package io.busbar.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program may change as soon as its send has begun. */
@Timeout(60)
class ApartTest extends Ranks {
  private long creditBytes = 1 << 20;

  @Override
  MpiConfig config() {
    return MpiConfig.defaults().withCredit(creditBytes);
  }

  private static byte[] bytes(int length, int value) {
    byte[] all = new byte[length];
    Arrays.fill(all, (byte) value);
    return all;
  }

  /** What was copied for a send that was called back does not count any more. */
  @Test
  void copiesThatWereCalledBackMakeRoom() throws Exception {
    int length = 1 << 20;
    run(
        2,
        world -> {
          byte[] data = new byte[length];
          if (world.rank() == 0) {
            for (int i = 0; i < 100; i++) {
              Request sent = apart(world, data);
              sent.cancel();
              sent.await();
              assertThat(sent.isCancelled()).isTrue();
            }
            Arrays.fill(data, (byte) 7);
            Request sent = apart(world, data);
            Arrays.fill(data, (byte) 8);
            world.send(new int[1], 0, 1, Datatype.INT, 1, 6, false);
            sent.await();
          } else {
            world.receive(new int[1], 0, 1, Datatype.INT, 0, 6, null);
            world.receive(data, 0, length, Datatype.BYTE, 0, 5, null);
            assertThat(data).isEqualTo(bytes(length, 7));
          }
        });
  }

  private static Request apart(Communicator world, byte[] data) {
    return world.startSendApart(data, 0, data.length, Datatype.BYTE, 1, 5, false);
  }

  /** What may be changed at once, of all lengths, to somebody who receives late. */
  @ParameterizedTest
  @CsvSource({
    "100, 30, false, shm",
    "20000, 100, false, shm",
    "20000, 20, true, udp",
    "100000, 40, false, shm",
    "200000, 20, false, udp",
    "1000000, 8, false, shm",
    "1000000, 5, true, udp"
  })
  void whatIsSentApartMayBeChangedAtOnce(int length, int count, boolean sync, String fabric)
      throws Exception {
    changeAtOnce(length, count, sync, fabric);
  }

  /** With more credit than there is room on the way: some parts of a payload leave, others stay. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void whatHasLeftInPartMayBeChanged(String fabric) throws Exception {
    creditBytes = 32 << 20;
    changeAtOnce(200_000, 60, false, fabric);
  }

  private void changeAtOnce(int length, int count, boolean sync, String fabric) throws Exception {
    CountDownLatch receives = new CountDownLatch(1);
    Datatype gapped = Datatype.vector(length / 20, 10, 20, Datatype.BYTE);
    run(
        2,
        fabric,
        world -> {
          byte[] data = new byte[length];
          if (world.rank() == 0) {
            List<Request> sent = new ArrayList<>();
            for (int i = 0; i < count; i++) {
              Arrays.fill(data, (byte) i);
              Datatype type = i % 3 == 0 ? gapped : Datatype.BYTE;
              int elements = i % 3 == 0 ? 1 : length - i * 7_919 % (length / 2);
              sent.add(world.startSendApart(data, 0, elements, type, 1, 5, sync));
              Arrays.fill(data, (byte) -1);
            }
            receives.countDown();
            sent.forEach(Request::await);
          } else {
            receives.await();
            for (int i = 0; i < count; i++) {
              Status status = new Status();
              world.receive(data, 0, length, Datatype.BYTE, 0, 5, status);
              int came = i % 3 == 0 ? length / 20 * 10 : length - i * 7_919 % (length / 2);
              assertThat(status.bytes()).isEqualTo(came);
              assertThat(Arrays.copyOf(data, came)).isEqualTo(bytes(came, i));
            }
          }
        });
  }
}
