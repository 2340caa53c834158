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

/** A send that is cancelled is received or has never been; either way it is over. */
@Timeout(60)
class CallBackTest extends Ranks {
  private static final int LONG = 300_000;

  private static void word(Communicator world, int to, int tag) {
    world.send(new int[1], 0, 1, Datatype.INT, to, tag, false);
  }

  private static void awaitWord(Communicator world, int from, int tag) {
    world.receive(new int[1], 0, 1, Datatype.INT, from, tag, null);
  }

  private static Request start(Communicator world, int[] data, boolean sync) {
    return world.startSend(data, 0, data.length, Datatype.INT, 1, 5, sync);
  }

  private static int[] sevens(int length) {
    int[] all = new int[length];
    Arrays.fill(all, 7);
    return all;
  }

  private static boolean cancelled(Request sent) {
    sent.cancel();
    sent.cancel(); // once more changes nothing
    sent.await();
    assertThat(sent.error()).isNull();
    return sent.isCancelled();
  }

  /** Its receiver has its envelope, with the payload or without. */
  @ParameterizedTest
  @CsvSource({"1, true, shm", "1, true, udp", "300000, true, shm", "300000, false, udp"})
  void whatNobodyHasReceivedIsGone(int length, boolean sync, String fabric) throws Exception {
    run(
        2,
        fabric,
        world -> {
          Holdings holdings = world.world().holdings();
          if (world.rank() == 0) {
            Request first = start(world, new int[length], sync);
            Request second = start(world, sevens(length), sync);
            awaitWord(world, 1, 6);
            assertThat(cancelled(first)).isTrue();
            word(world, 1, 6);
            second.await();
            assertThat(second.isCancelled()).isFalse();
            assertThat(holdings.named()).isZero();
          } else {
            Status status = new Status();
            world.probe(0, 5, status);
            word(world, 0, 6);
            awaitWord(world, 0, 6);
            int[] in = new int[length];
            world.receive(in, 0, length, Datatype.INT, 0, 5, null);
            assertThat(in).isEqualTo(sevens(length));
            assertThat(world.tryProbe(0, 5, status)).isFalse();
            assertThat(holdings.kept()).isZero();
          }
        });
  }

  @ParameterizedTest
  @CsvSource({"1, true", "300000, false"})
  void whatHasAReceiveIsReceived(int length, boolean sync) throws Exception {
    run(
        2,
        world -> {
          int[] data = new int[length];
          if (world.rank() == 0) {
            awaitWord(world, 1, 6); // there is a receive
            assertThat(cancelled(start(world, sevens(length), sync))).isFalse();
          } else {
            Request came = world.startReceive(data, 0, length, Datatype.INT, 0, 5);
            word(world, 0, 6);
            came.await();
            assertThat(data).isEqualTo(sevens(length));
          }
        });
  }

  /** Credit comes back: what was called back thousands of times is in nobody's way. */
  @Test
  void creditComesBack() throws Exception {
    run(
        2,
        world -> {
          if (world.rank() == 0) {
            for (int i = 0; i < 1_000; i++) {
              assertThat(cancelled(start(world, new int[5_000], true))).isTrue();
            }
            word(world, 1, 6);
            awaitWord(world, 1, 6);
            assertThat(world.world().holdings().credit(1)).isGreaterThan(700 << 10);
          } else {
            awaitWord(world, 0, 6);
            word(world, 0, 6);
          }
        });
  }

  /** More than there is room for on the way: the last ones have not left. */
  @Test
  void whatHasNotLeftStaysHere() throws Exception {
    int count = 20_000;
    CountDownLatch receives = new CountDownLatch(1);
    run(
        2,
        world -> {
          if (world.rank() == 0) {
            List<Request> sent = new ArrayList<>();
            for (int i = 0; i < count; i++) {
              int[] data = {i};
              sent.add(start(world, data, false));
            }
            Request last = sent.removeLast();
            Request middle = sent.remove(count - 1_000);
            assertThat(cancelled(last)).isTrue(); // though nobody answers
            assertThat(cancelled(middle)).isTrue();
            receives.countDown();
            sent.forEach(Request::await);
          } else {
            receives.await();
            int[] in = new int[1];
            for (int i = 0; i < count - 1; i++) {
              if (i != count - 1_000) {
                world.receive(in, 0, 1, Datatype.INT, 0, 5, null);
                assertThat(in[0]).isEqualTo(i);
              }
            }
          }
        });
  }

  @Test
  void whatWasSentToOneselfIsCalledBack() throws Exception {
    run(
        1,
        world -> {
          int[] data = {7};
          Request sent = world.startSend(data, 0, 1, Datatype.INT, 0, 5, true);
          assertThat(cancelled(sent)).isTrue();
          assertThat(world.tryProbe(0, 5, new Status())).isFalse();
          sent = world.startSend(data, 0, 1, Datatype.INT, 0, 5, true);
          Request came = world.startReceive(new int[1], 0, 1, Datatype.INT, 0, 5);
          assertThat(cancelled(sent)).isFalse();
          came.await();
        });
  }

  /** Nobody answers there any more, whether it is called back before or after. */
  @Test
  void whoHasFinalisedHasNotReceivedIt() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    CountDownLatch ends = new CountDownLatch(1);
    runWorlds(
        2,
        "shm",
        world -> {
          Communicator all = world.begin();
          if (all.rank() == 0) {
            Request before = start(all, new int[1], true);
            Request after = start(all, new int[LONG], false);
            awaitWord(all, 1, 6);
            before.cancel(); // it is not in MPI now
            ends.countDown();
            before.await();
            assertThat(before.isCancelled()).isTrue();
            assertThat(cancelled(after)).isTrue();
            over.countDown();
          } else {
            all.probe(0, 5, new Status());
            word(all, 0, 6);
            ends.await();
          }
          world.end();
          over.await(); // its node is there as long
        });
  }
}
