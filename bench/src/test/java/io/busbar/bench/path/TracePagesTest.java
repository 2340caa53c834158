package io.busbar.bench.path;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A page as the kernel lays it out, with every kind of entry. */
class TracePagesTest {
  private static final int QUEUE = 2304;
  private static final int SWITCH = 300;

  private final ByteBuffer page = ByteBuffer.allocate(4096).order(ByteOrder.nativeOrder());

  private void head(int type, int delta) {
    page.putInt(delta << 5 | type);
  }

  private void data(int id, int thread, long word) {
    page.putShort((short) id).putShort((short) 0).putInt(thread).putLong(word);
  }

  private List<KernelEvent> read() {
    page.putLong(8, page.position() - 16);
    TracePages pages =
        new TracePages(
            Map.of(
                QUEUE, new TracePages.Layout("net_dev_queue", 8, -1),
                SWITCH, new TracePages.Layout("sched_switch", -1, 8)));
    List<KernelEvent> events = new ArrayList<>();
    pages.read(page.array(), 4096, events);
    return events;
  }

  @Test
  void timesAddUpAndFieldsAreFound() {
    page.putLong(0, 1_000_000).position(16);
    head(4, 5); // four words of data
    data(QUEUE, 7, 0xABCDL);
    head(30, 3); // time goes on by more than 27 bits
    page.putInt(1);
    head(0, 10); // its length is a word of its own
    page.putInt(4 + 16);
    data(SWITCH, 8, 99);
    head(4, 1);
    data(555, 9, 1); // nobody asked for it
    head(29, 2); // room that was given back
    page.putInt(8).putInt(0);
    head(31, 6); // the time itself
    page.putInt(2);
    head(4, 0);
    data(QUEUE, 7, 0xEFL);
    head(29, 0); // the rest of the page is empty
    assertThat(read())
        .containsExactly(
            new KernelEvent(1_000_005, "net_dev_queue", 7, 0xABCD, 0),
            new KernelEvent(1_000_005 + 3 + (1L << 27) + 10, "sched_switch", 8, 0, 99),
            new KernelEvent((2L << 27) + 6, "net_dev_queue", 7, 0xEF, 0));
  }

  @Test
  void aPageThatIsCutShortEndsWithItsLastWholeEvent() {
    page.putLong(0, 1).position(16);
    head(4, 5);
    data(QUEUE, 7, 1);
    head(4, 5);
    page.putInt(1);
    assertThat(read()).hasSize(1);
    page.clear().position(16);
    assertThat(read()).isEmpty();
  }
}
