package io.busbar.bench.contest;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Aeron, with an exclusive publication each way. Its media driver is embedded and invoked by the
 * thread that sends and receives: threads of its own would spin beside ours on two cores. Over UDP
 * each process has a driver, which is invoked in every turn. Over shared memory the asking process
 * has the only one, which moves no bytes there, and is invoked when a window is full, and now and
 * then.
 */
final class OverAeron implements Contender {
  private static final int BUFFER_BYTES = 1 << 20;

  /** A message has at most an eighth of a term. */
  private static final int TERM_BYTES = 8 << 20;

  /** The longest datagram in an Ethernet frame, in Aeron's steps of 32 bytes. */
  private static final int MTU_BYTES = 1472;

  /** Shared memory needs no short frames; the longest that there is. */
  private static final int IPC_MTU_BYTES = 65_504;

  private static final int SOCKET_BYTES = 2 << 20;
  private static final int WINDOW_BYTES = 1 << 20;
  private static final int PORT = 40_123;
  private static final int STREAM = 1001;

  /** Between two runs nobody invokes anything; nothing may time out meanwhile. */
  private static final long LIVENESS_NS = TimeUnit.HOURS.toNanos(2);

  private static final int FRAGMENTS = 64;
  private static final int IDLE_TURNS = 1024;

  /** A driver is invoked after so many bytes, even if it takes more. */
  private static final int INVOKE_BYTES = 16 << 10;

  /** The last message of a run leaves within that time. */
  private static final long LINGER_NS = 2_000_000;

  private final Place place;
  private final boolean ipc;
  private final String directory;
  private final @Nullable MediaDriver driver;
  private final UnsafeBuffer out = new UnsafeBuffer(ByteBuffer.allocateDirect(BUFFER_BYTES));
  private final UnsafeBuffer in = new UnsafeBuffer(ByteBuffer.allocateDirect(BUFFER_BYTES));
  private final FragmentHandler handler = this::onMessage;
  private final FragmentAssembler assembler = new FragmentAssembler(handler);
  private @Nullable Joined joined;
  private long arrived;
  private int turns;

  private record Joined(Aeron aeron, ExclusivePublication publication, Subscription subscription) {}

  private OverAeron(Place place, boolean ipc) {
    this.place = place;
    this.ipc = ipc;
    directory = Path.of(place.directory(), "aeron-" + ProcessHandle.current().pid()).toString();
    driver = ipc && !place.asks() ? null : MediaDriver.launch(driverContext());
  }

  static OverAeron ipc(Place place) {
    return new OverAeron(place, true);
  }

  static OverAeron udp(Place place) {
    return new OverAeron(place, false);
  }

  private MediaDriver.Context driverContext() {
    return new MediaDriver.Context()
        .aeronDirectoryName(directory)
        .threadingMode(ThreadingMode.INVOKER)
        .dirDeleteOnStart(true)
        .dirDeleteOnShutdown(true)
        .termBufferSparseFile(false)
        .ipcTermBufferLength(TERM_BYTES)
        .ipcMtuLength(IPC_MTU_BYTES)
        .publicationTermBufferLength(TERM_BYTES)
        .mtuLength(MTU_BYTES)
        .socketSndbufLength(SOCKET_BYTES)
        .socketRcvbufLength(SOCKET_BYTES)
        .initialWindowLength(WINDOW_BYTES)
        .clientLivenessTimeoutNs(LIVENESS_NS)
        .imageLivenessTimeoutNs(LIVENESS_NS)
        .publicationConnectionTimeoutNs(LIVENESS_NS)
        .publicationUnblockTimeoutNs(2 * LIVENESS_NS);
  }

  @Override
  public String address() {
    return ipc ? directory : place.host() + ":" + PORT;
  }

  @Override
  public void connect(String other) {
    boolean own = driver != null;
    Aeron.Context context =
        new Aeron.Context()
            .aeronDirectoryName(own ? directory : other)
            .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(LIVENESS_NS))
            .useConductorAgentInvoker(true);
    if (driver != null) {
      context.driverAgentInvoker(driver.sharedAgentInvoker());
    }
    Aeron aeron = Aeron.connect(context);
    int toward = place.asks() ? STREAM : STREAM + 1;
    int from = place.asks() ? STREAM + 1 : STREAM;
    Subscription subscription = aeron.addSubscription(channel(address()), from);
    ExclusivePublication publication = aeron.addExclusivePublication(channel(other), toward);
    joined = new Joined(aeron, publication, subscription);
    while (!publication.isConnected() || !subscription.isConnected()) {
      drive();
      int _ = aeron.conductorAgentInvoker().invoke();
    }
    // Both know now that the other one is ready.
    if (place.asks()) {
      ask(1, 1, new long[1]);
    } else {
      answer(1, 1);
    }
  }

  private String channel(String endpoint) {
    return ipc ? "aeron:ipc" : "aeron:udp?endpoint=" + endpoint;
  }

  private Joined joined() {
    Joined now = joined;
    if (now == null) {
      throw new IllegalStateException("not connected");
    }
    return now;
  }

  private void onMessage(DirectBuffer buffer, int offset, int length, Header header) {
    buffer.getBytes(offset, in, 0, length);
    arrived++;
  }

  private void drive() {
    if (driver != null) {
      AgentInvoker invoker = driver.sharedAgentInvoker();
      int _ = invoker.invoke();
    }
  }

  @Override
  public void turn() {
    turn(joined());
  }

  /** One turn of a loop in which nothing else happened. */
  private void turn(Joined now) {
    turns++;
    boolean isTime = turns % IDLE_TURNS == 0;
    if (!ipc || isTime) {
      drive();
    }
    if (isTime) {
      int _ = now.aeron.conductorAgentInvoker().invoke();
    }
  }

  private void offer(Joined now, int bytes) {
    long result = now.publication.offer(out, 0, bytes);
    while (result < 0) {
      if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
        throw new IllegalStateException("offer: " + Publication.errorString(result));
      }
      drive();
      result = now.publication.offer(out, 0, bytes);
    }
  }

  private void send(Joined now, int bytes) {
    offer(now, bytes);
    if (!ipc) {
      drive();
    }
  }

  private void receive(Joined now, long until, FragmentHandler taking) {
    while (arrived < until) {
      if (!ipc) {
        drive();
      }
      if (now.subscription.poll(taking, FRAGMENTS) == 0) {
        Thread.onSpinWait();
        turn(now);
      }
    }
  }

  private FragmentHandler taking(Joined now, int bytes) {
    return bytes > now.publication.maxPayloadLength() ? assembler : handler;
  }

  /** Over UDP what was offered last may still wait for its driver. */
  private void linger() {
    if (!ipc) {
      long untilNs = System.nanoTime() + LINGER_NS;
      while (System.nanoTime() < untilNs) {
        drive();
      }
    }
  }

  @Override
  public void ask(int bytes, int count, long[] roundTripsNs) {
    Joined now = joined();
    FragmentHandler taking = taking(now, bytes);
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      send(now, bytes);
      receive(now, arrived + 1, taking);
      roundTripsNs[i] = System.nanoTime() - start;
    }
  }

  @Override
  public void answer(int bytes, int count) {
    Joined now = joined();
    FragmentHandler taking = taking(now, bytes);
    for (int i = 0; i < count; i++) {
      receive(now, arrived + 1, taking);
      send(now, bytes);
    }
    linger();
  }

  @Override
  public void flood(int bytes, int count) {
    Joined now = joined();
    int waits = 0;
    for (int i = 0; i < count; i++) {
      offer(now, bytes);
      waits += bytes;
      if (!ipc && waits >= INVOKE_BYTES) {
        drive();
        waits = 0;
      }
    }
    receive(now, arrived + 1, handler);
  }

  @Override
  public void sink(int bytes, int count) {
    Joined now = joined();
    receive(now, arrived + count, taking(now, bytes));
    send(now, 1);
    linger();
  }

  @Override
  public void close() {
    if (joined != null) {
      joined.aeron.close();
    }
    if (driver != null) {
      driver.close();
    }
  }
}
