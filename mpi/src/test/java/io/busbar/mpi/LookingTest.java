package io.busbar.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.node.Node;
import io.busbar.node.NodeConfig;
import io.busbar.node.Place;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who asks again and again whether something has come leaves others the processor. */
@Timeout(60)
class LookingTest {
  private static final int LOOKS = 1_000;

  private final AtomicInteger offers = new AtomicInteger();

  private Place counting(Place place) {
    return (Place)
        Proxy.newProxyInstance(
            Place.class.getClassLoader(),
            new Class<?>[] {Place.class},
            (_, method, arguments) -> {
              if (method.getName().equals("offerProcessor")) {
                int _ = offers.incrementAndGet();
              }
              try {
                return method.invoke(place, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void looksInVainOfferTheProcessor(@TempDir Path folder) throws Exception {
    NodeConfig config = NodeConfig.of(Map.of()).as(0, 1, folder).in("looking");
    try (World world = World.join(user -> counting(Node.join(config, user)), 1)) {
      Communicator all = world.begin();
      Request never = all.startReceive(new int[1], 0, 1, Datatype.INT, 0, 1);
      for (int i = 0; i < LOOKS; i++) {
        assertThat(never.test()).isFalse();
      }
      assertThat(offers.getAndSet(0)).isGreaterThan(LOOKS / 20);
      for (int i = 0; i < LOOKS; i++) {
        assertThat(all.tryProbe(0, 2, new Status())).isFalse();
        assertThat(all.take(0, 2, new Status(), false)).isNull();
      }
      assertThat(offers.get()).isGreaterThan(LOOKS / 20);
      never.cancel();
      world.end();
    }
  }
}
