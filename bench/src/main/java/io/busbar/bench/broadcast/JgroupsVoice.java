package io.busbar.bench.broadcast;

import java.net.InetAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.protocols.FRAG4;
import org.jgroups.protocols.MFC;
import org.jgroups.protocols.PING;
import org.jgroups.protocols.UDP;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jspecify.annotations.Nullable;

/** JGroups over UDP multicast, bundled as it likes it, with its flow control. */
final class JgroupsVoice implements Voice, Receiver {
  private static final long JOIN_MS = 1000;
  private static final long PATIENCE_S = 60;
  private static final byte[] HAVE = {1};

  private final int rank;
  private final int size;
  private final String host;
  private final String name;
  private final CountDownLatch complete = new CountDownLatch(1);
  private final AtomicLong heard = new AtomicLong();
  private final Semaphore haves = new Semaphore(0);
  private final Semaphore all = new Semaphore(0);
  private volatile long expected = Long.MAX_VALUE;
  private volatile @Nullable Address speaker;
  private @Nullable JChannel channel;

  JgroupsVoice(int rank, int size, String host, String name) {
    this.rank = rank;
    this.size = size;
    this.host = host;
    this.name = name;
  }

  private JChannel channel() {
    if (channel == null) {
      throw new IllegalStateException("nobody has joined");
    }
    return channel;
  }

  @Override
  public void join() throws Exception {
    UDP udp = new UDP();
    udp.setBindAddress(InetAddress.getByName(host));
    udp.setMulticastAddress(InetAddress.getByName("239.255.70.10"));
    udp.setMulticastPort(7010);
    JChannel open =
        new JChannel(
            udp,
            new PING(),
            new NAKACK2(),
            new UNICAST3(),
            new STABLE(),
            new GMS().setJoinTimeout(JOIN_MS).printLocalAddress(false),
            new UFC(),
            new MFC(),
            new FRAG4());
    channel = open;
    open.setName((rank == 0 ? "speaker-" : "hearer-") + rank);
    open.setReceiver(this);
    open.connect(name);
    if (!complete.await(PATIENCE_S, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the group has not become complete");
    }
  }

  @Override
  public void viewAccepted(View view) {
    for (Address member : view.getMembers()) {
      if (member.toString().startsWith("speaker-")) {
        speaker = member;
      }
    }
    if (view.size() == size) {
      complete.countDown();
    }
  }

  @Override
  public void receive(Message message) {
    if (message.getLength() == HAVE.length) {
      haves.release();
    } else if (heard.incrementAndGet() == expected) {
      all.release();
    }
  }

  @Override
  public void send(int count, int bytes) throws Exception {
    byte[] payload = new byte[bytes];
    JChannel open = channel();
    for (int i = 0; i < count; i++) {
      open.send(new BytesMessage(null, payload).setFlag(Message.TransientFlag.DONT_LOOPBACK));
    }
    if (!haves.tryAcquire(size - 1, PATIENCE_S, TimeUnit.SECONDS)) {
      throw new IllegalStateException("not all have said that they have all");
    }
  }

  @Override
  public void expect(int count) {
    expected = heard.get() + count;
  }

  @Override
  public void take() throws Exception {
    if (!all.tryAcquire(PATIENCE_S, TimeUnit.SECONDS)) {
      throw new IllegalStateException("%d of %d came".formatted(heard.get(), expected));
    }
    channel().send(new BytesMessage(speaker, HAVE));
  }

  @Override
  public void close() {
    if (channel != null) {
      channel.close();
    }
  }
}
