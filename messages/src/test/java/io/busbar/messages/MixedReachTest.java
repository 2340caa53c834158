package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.node.Discovery;
import io.busbar.node.NodeConfig;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Three of a cluster hear the group of their segment, a fourth one does not: it was told of one of
 * them. What is said to all reaches each, by the group or by itself.
 */
@Timeout(60)
class MixedReachTest extends Segment {
  private static final int MESSAGES = 300;

  @Test
  void whoIsOutsideOfTheGroupHearsAllAndIsHeard() throws Exception {
    Discovery inside = segment();
    Guest seed =
        join(
            NodeConfig.find("mixed", inside.withPort(port))
                .withHost("127.0.0.1")
                .withFabrics("udp"));
    Guest second = join(config("mixed", inside.expecting(2), "udp"));
    Discovery apart = inside.withSeeds(List.of("127.0.0.1:" + port)).withGroup("");
    Guest outside = join(config("mixed", apart.expecting(3), "udp"));
    Guest late = join(config("mixed", inside.expecting(4), "udp"));
    List<Guest> all = List.of(seed, second, outside, late);
    for (Guest one : all) {
      awaitThat("four members", () -> one.messages.node().size() == 4);
    }
    for (Guest one : all) {
      for (int i = 0; i < MESSAGES; i++) {
        one.say(Messages.EVERYONE);
      }
    }
    for (Guest one : all) {
      awaitThat("all is heard", () -> one.heard.get() == 3 * MESSAGES);
      assertThat(one.told).noneMatch(event -> event.contains("EVICTED") || event.startsWith("GAP"));
    }
  }
}
