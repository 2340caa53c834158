package io.busbar.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.wire.SharedSegment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MailboxTest {
  private final MemorySegment memory = Arena.ofAuto().allocate(SharedSegment.POOL, 4096);
  private final Mailbox mailbox = new Mailbox(memory);
  private final List<String> mail = new ArrayList<>();
  private final List<Long> dead = new ArrayList<>();

  private final Mailbox.Reader reader =
      new Mailbox.Reader() {
        @Override
        public void onAnnouncement(long token, long participant) {
          mail.add(token + " calls us " + participant);
        }

        @Override
        public boolean isAlive(long token) {
          return !dead.contains(token);
        }
      };

  /** Takes a slot and goes no further. */
  private void takeSlot(int slot, long token) {
    memory.set(ValueLayout.JAVA_LONG, slotAt(slot) + SharedSegment.MAIL_TOKEN_AT, token);
  }

  private static long slotAt(int slot) {
    return SharedSegment.MAILBOX + (long) slot * SharedSegment.MAIL_BYTES;
  }

  @Test
  void announcementsAreReadOnce() {
    assertThat(mailbox.hasMail()).isFalse();
    assertThat(Mailbox.announce(memory, 7, 3)).isTrue();
    assertThat(Mailbox.announce(memory, -8, 255)).isTrue();
    assertThat(mailbox.hasMail()).isTrue();
    mailbox.read(reader);
    assertThat(mail).containsExactly("7 calls us 3", "-8 calls us 255");
    assertThat(mailbox.hasMail()).isFalse();
    mailbox.read(reader);
    assertThat(mail).hasSize(2);
    assertThat(memory.asSlice(SharedSegment.MAILBOX, 16).get(ValueLayout.JAVA_LONG, 0)).isZero();
  }

  @Test
  void slotOfOneWhoIsStillWritingIsLeftToIt() {
    takeSlot(0, 5);
    assertThat(Mailbox.announce(memory, 6, 2)).isTrue();
    mailbox.read(reader);
    assertThat(mail).containsExactly("6 calls us 2");
    assertThat(Mailbox.announce(memory, 9, 4)).isTrue();
    mailbox.read(reader);
    assertThat(memory.get(ValueLayout.JAVA_LONG, slotAt(0))).isEqualTo(5);
  }

  @Test
  void slotOfTheDeadIsEmptied() {
    takeSlot(0, 5);
    dead.add(5L);
    assertThat(Mailbox.announce(memory, 6, 2)).isTrue();
    mailbox.read(reader);
    assertThat(memory.get(ValueLayout.JAVA_LONG, slotAt(0))).isZero();
    assertThat(mail).containsExactly("6 calls us 2");
  }

  @Test
  void fullMailboxRefuses() {
    for (int i = 1; i <= SharedSegment.MAIL_SLOTS; i++) {
      assertThat(Mailbox.announce(memory, i, 2)).isTrue();
    }
    assertThat(Mailbox.announce(memory, 1000, 2)).isFalse();
    mailbox.read(reader);
    assertThat(mail).hasSize(SharedSegment.MAIL_SLOTS);
    assertThat(Mailbox.announce(memory, 1000, 2)).isTrue();
  }

  /** What fills the mailbox may be of the dead: whoever is refused has the owner look. */
  @Test
  void mailboxFullOfTheDeadIsEmptied() {
    for (int i = 0; i < SharedSegment.MAIL_SLOTS; i++) {
      takeSlot(i, 50 + i);
      dead.add(50L + i);
    }
    assertThat(Mailbox.announce(memory, 1000, 2)).isFalse();
    assertThat(mailbox.hasMail()).isTrue();
    mailbox.read(reader);
    assertThat(Mailbox.announce(memory, 1000, 2)).isTrue();
  }

  @Test
  void exceptionOfTheReaderLosesNoMail() {
    Mailbox.announce(memory, 1, 2);
    Mailbox.announce(memory, 2, 2);
    Mailbox.Reader clumsy =
        new Mailbox.Reader() {
          @Override
          public void onAnnouncement(long token, long participant) {
            throw new IllegalStateException("stumbled over " + token);
          }

          @Override
          public boolean isAlive(long token) {
            return true;
          }
        };
    assertThatThrownBy(() -> mailbox.read(clumsy)).hasMessage("stumbled over 1");
    assertThat(mailbox.hasMail()).isTrue();
    mailbox.read(reader);
    assertThat(mail).containsExactly("2 calls us 2");
  }

  /** Four announce at once into a mailbox that is read meanwhile: each is heard once. */
  @Test
  void manyAnnounceAtOnce() throws InterruptedException {
    int threads = 4;
    int each = 20_000;
    AtomicInteger running = new AtomicInteger(threads);
    List<Thread> announcers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      long base = (t + 1) * 1_000_000L;
      announcers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    Patience patience = new Patience();
                    for (int i = 0; i < each; ) {
                      int participant = 2 + i % 254;
                      if (Mailbox.announce(memory, base + i, participant)) {
                        i++;
                      } else {
                        patience.pause();
                      }
                    }
                    running.decrementAndGet();
                  }));
    }
    Map<Long, Integer> heard = new HashMap<>();
    int[] wrong = new int[1];
    Mailbox.Reader counting =
        new Mailbox.Reader() {
          @Override
          public void onAnnouncement(long token, long participant) {
            heard.merge(token, 1, Integer::sum);
            wrong[0] += participant == 2 + token % 1_000_000 % 254 ? 0 : 1;
          }

          @Override
          public boolean isAlive(long token) {
            return true;
          }
        };
    while (running.get() > 0 || mailbox.hasMail()) {
      mailbox.read(counting);
    }
    for (Thread announcer : announcers) {
      announcer.join();
    }
    mailbox.read(counting);
    assertThat(heard).hasSize(threads * each);
    assertThat(heard.values()).allMatch(times -> times == 1);
    assertThat(wrong[0]).isZero();
  }
}
