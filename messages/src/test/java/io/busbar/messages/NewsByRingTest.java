package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.ForwardingNic;
import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.udp.UdpNic;
import io.busbar.testkit.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A member hears first over shared memory who has gone, and who came again: it has not looked at
 * its datagrams, or lost them. Ways are closed then while the ring that tells it is looked at.
 */
@Timeout(60)
class NewsByRingTest extends Segment {
  private static final int START_S = 30;

  private volatile boolean deaf;

  /** Loses the datagrams that come, while it is to. */
  private final class Deaf extends ForwardingNic {
    Deaf(Nic below) {
      super(below);
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      if (!deaf) {
        return below.poll(receiver, budget);
      }
      int _ = below.poll((peer, memory, offset, length, frame) -> {}, budget);
      return 0;
    }
  }

  private Nic over(Nic nic) {
    return nic.fabric().equals(UdpNic.FABRIC) ? new Deaf(nic) : nic;
  }

  @AfterEach
  void hearsAgain() {
    deaf = false;
  }

  private void checkThatItTalks(Guest one, Guest other) throws Exception {
    int before = other.heard.get();
    one.say(other.id());
    awaitThat("a message", () -> other.heard.get() > before);
    int answers = one.heard.get();
    other.say(one.id());
    awaitThat("an answer", () -> one.heard.get() > answers);
  }

  /** One has left and one was killed when it looks again. */
  @Test
  void oneLeavesAndOneIsKilledWhileAThirdStandsStill() throws Exception {
    String cluster = "standstill";
    Guest third = join(config(cluster, segment().withId(3), "shm", "udp"), this::over);
    Guest stays = join(config(cluster, segment().withId(4).expecting(2), "shm", "udp"));
    Guest leaves = new Guest(config(cluster, segment().withId(5).expecting(3), "shm", "udp"));
    leaves.say(3);
    awaitThat("it is known", () -> third.heard.get() == 1);
    try (ChildJvm killed =
        ChildJvm.start(
            List.of(),
            ChildJvm.SMALL,
            Found.class,
            cluster,
            "239.255.70.9:" + port,
            folder,
            "shm,udp")) {
      String id = killed.awaitLine("joined", START_S).split(" ", -1)[1];
      awaitThat("it is known", () -> third.knows("JOINED " + id));
      killed.tell("cast 300000");
      awaitThat("it speaks over shared memory", () -> third.knows("LONG"));
      deaf = true;
      third.messages.node().take(); // nobody looks from here on
      try {
        leaves.close();
        killed.kill();
      } finally {
        third.messages.node().release();
      }
      awaitThat("its death is noticed", () -> third.knows("DIED " + id));
      assertThat(third.knows("GONE 5")).isTrue();
    }
    deaf = false;
    awaitThat("that one has left is known", () -> third.knows("LEFT 5") || third.knows("DIED 5"));
    checkThatItTalks(third, stays);
  }

  /** The former life is not known to have ended when the ring of the next one is looked at. */
  @Test
  void helloOfAnotherLifeComesBeforeTheEndOfTheFormer() throws Exception {
    String cluster = "again";
    Guest third = join(config(cluster, segment().withId(3), "shm", "udp"), this::over);
    Guest stays = join(config(cluster, segment().withId(4).expecting(2), "shm", "udp"));
    Guest former = new Guest(config(cluster, segment().withId(5).expecting(3), "shm", "udp"));
    former.say(3);
    awaitThat("it is known", () -> third.heard.get() == 1);
    deaf = true;
    third.messages.node().take(); // nobody looks from here on
    Guest again;
    try {
      former.close();
      again = join(config(cluster, segment().withId(5).expecting(3), "shm", "udp"));
    } finally {
      third.messages.node().release();
    }
    awaitThat("the ring told of it", () -> third.knows("RESTARTED 5"));
    deaf = false;
    checkThatItTalks(third, again);
    checkThatItTalks(third, stays);
  }

  /** It comes after that: what the former life had is the next one's by then. */
  @Test
  void helloOfAnotherLifeComesOverSharedMemory() throws Exception {
    String cluster = "later";
    Guest third = join(config(cluster, segment().withId(3), "shm", "udp"), this::over);
    Guest former = new Guest(config(cluster, segment().withId(5).expecting(2), "shm", "udp"));
    former.say(3);
    awaitThat("it is known", () -> third.heard.get() == 1);
    deaf = true;
    former.close();
    awaitThat("its end is known", () -> third.knows("GONE 5"));
    Guest again = join(config(cluster, segment().withId(5).expecting(2), "shm", "udp"));
    awaitThat("the ring told of it", () -> third.knows("RESTARTED 5"));
    deaf = false;
    checkThatItTalks(third, again);
    assertThat(third.count("GONE 5")).as("lanes that ended").isEqualTo(1);
  }
}
