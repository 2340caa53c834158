package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.ForwardingNic;
import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.udp.UdpAddress;
import io.busbar.fabric.udp.UdpConfig;
import io.busbar.fabric.udp.UdpNic;
import io.busbar.transport.Count;
import io.busbar.transport.TransportConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ways to nodes that come and go while they are tried. */
class EngineWaysTest {
  private static final long MOMENT_NS = 20_000_000;

  private long nowNs;

  private static UdpNic loopback(Engine engine) {
    UdpAddress here = UdpAddress.parse("127.0.0.1:0");
    return new UdpNic(UdpConfig.builder().bind(here).build(), engine.events());
  }

  private long asked(Engine engine) {
    for (int i = 0; i < 10; i++) {
      boolean _ = engine.work();
      nowNs += MOMENT_NS;
    }
    return engine.transport().counters().get(Count.ECHOES_OUT);
  }

  @Test
  void nothingIsSaidToANodeThatIsGone() {
    TransportConfig transport = TransportConfig.builder(0, 1000).build();
    EngineConfig config = new EngineConfig(transport, 1 << 20, 64, 1, 1_000_000_000_000L);
    Engine engine = new Engine(config, () -> nowNs, Users.hears("onEnded", () -> {}));
    try (UdpNic one = loopback(engine);
        UdpNic other = loopback(engine);
        UdpNic deaf = loopback(engine);
        UdpNic second = loopback(engine)) {
      engine.add(List.of(one, other));
      engine.addPeer(1, List.of(deaf.address()));
      engine.addPeer(2, List.of(second.address()));
      assertThat(asked(engine)).isGreaterThan(3);
      assertThat(engine.hasChosen()).isFalse();
      engine.endAll("they are gone");
      assertThat(engine.hasChosen()).isTrue();
      long before = engine.transport().counters().get(Count.ECHOES_OUT);
      assertThat(asked(engine)).isEqualTo(before);
    }
  }

  /** Counts how often it is looked at. */
  private static final class WatchedNic extends ForwardingNic {
    private int looks;

    WatchedNic(Nic below) {
      super(below);
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      looks++;
      return super.poll(receiver, budget);
    }
  }

  private static int looks(Engine engine, WatchedNic at) {
    int before = at.looks;
    for (int i = 0; i < 10_240; i++) {
      boolean _ = engine.work();
    }
    return at.looks - before;
  }

  /** A look is a call of the kernel, for which messages over another carrier wait. */
  @Test
  void whereNobodyIsReachedIsLookedAtSeldom() {
    TransportConfig transport = TransportConfig.builder(0, 1000).build();
    EngineConfig config = new EngineConfig(transport, 1 << 20, 64, 1, 1_000_000_000_000L);
    Engine engine = new Engine(config, () -> nowNs, Users.deaf());
    try (WatchedNic one = new WatchedNic(loopback(engine));
        WatchedNic other = new WatchedNic(loopback(engine));
        UdpNic deaf = loopback(engine)) {
      engine.add(one);
      engine.add(other);
      int _ = looks(engine, one); // until it counts as quiet
      assertThat(looks(engine, one)).isEqualTo(10);
      assertThat(looks(engine, other)).isEqualTo(10);
      engine.addPeer(1, List.of(deaf.address()));
      assertThat(looks(engine, one)).isEqualTo(320);
      assertThat(looks(engine, other)).isEqualTo(10);
      engine.drop(1, "it has left");
      assertThat(looks(engine, one)).isEqualTo(10);
    }
  }

  /** Its frames would be taken for strange ones: who speaks from there is known already. */
  @Test
  void nobodyTakesTheAddressOfAnother() {
    TransportConfig transport = TransportConfig.builder(0, 1000).build();
    EngineConfig config = new EngineConfig(transport, 1 << 20, 64, 1, 1_000_000_000_000L);
    Engine engine = new Engine(config, () -> nowNs, Users.deaf());
    try (UdpNic own = loopback(engine);
        UdpNic deaf = loopback(engine)) {
      engine.add(own);
      engine.addPeer(1, List.of(deaf.address()));
      assertThatThrownBy(() -> engine.addPeer(2, List.of(deaf.address())))
          .isInstanceOf(NodeException.class)
          .hasMessageContaining("no way to node 2")
          .hasMessageContaining("node 1 is at " + deaf.address().text());
      engine.drop(1, "it has left");
      engine.addPeer(2, List.of(deaf.address()));
      assertThat(engine.lane(2)).isNotNull();
    }
  }
}
