package io.busbar.bench.contest;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.protocols.FRAG4;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jspecify.annotations.Nullable;

/**
 * JGroups over TCP: a group of two, whose members send to one another alone. Questions and answers
 * leave at once; messages of a flood are bundled as JGroups likes it, and its flow control holds
 * the sender back.
 */
final class OverJgroups extends Upcalls {
  private static final long JOIN_MS = 1000;
  private static final int MEMBERS = 2;

  private final boolean asks;
  private final String host;
  private final int port;
  private final CountDownLatch joined = new CountDownLatch(1);
  private final Lock turn = new ReentrantLock();
  private byte[] bytes = {};
  private @Nullable JChannel channel;
  private volatile @Nullable Address other;

  OverJgroups(String host, boolean asks) {
    this.asks = asks;
    this.host = host;
    this.port = Ports.free(host);
  }

  @Override
  public String address() {
    return host + ":" + port;
  }

  /** The end that answers makes the group, and the other one joins it. */
  @Override
  public void connect(String at) {
    try {
      JChannel open = new JChannel(stack(NioTcp.parse(at)));
      channel = open;
      open.setReceiver(new Ear(open));
      if (asks) {
        Ports.await(NioTcp.parse(at));
      }
      open.connect("busbar-bench");
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    await(joined, "the group has not become two");
  }

  private org.jgroups.stack.Protocol[] stack(InetSocketAddress at) throws Exception {
    TCP tcp = new TCP();
    tcp.setBindAddress(InetAddress.getByName(host)).setBindPort(port).setPortRange(0);
    tcp.tcpNodelay(true);
    TCPPING ping = new TCPPING();
    ping.setInitialHosts(List.of(at, new InetSocketAddress(host, port))).setPortRange(0);
    return new org.jgroups.stack.Protocol[] {
      tcp,
      ping,
      new NAKACK2().useMcastXmit(false),
      new UNICAST3(),
      new STABLE(),
      new GMS().setJoinTimeout(JOIN_MS).printLocalAddress(false),
      new UFC(),
      new FRAG4()
    };
  }

  /** Hears members and messages. */
  private final class Ear implements Receiver {
    private final JChannel open;

    Ear(JChannel open) {
      this.open = open;
    }

    @Override
    public void viewAccepted(View view) {
      for (Address member : view.getMembers()) {
        if (view.size() == MEMBERS && !member.equals(open.getAddress())) {
          other = member;
          joined.countDown();
        }
      }
    }

    @Override
    public void receive(Message message) {
      turn.lock();
      try {
        onBytes(message.getLength());
      } finally {
        turn.unlock();
      }
    }
  }

  @Override
  void begin(Runnable start) {
    turn.lock();
    try {
      start.run();
    } finally {
      turn.unlock();
    }
  }

  @Override
  void send(int length) {
    send(length, true);
  }

  private void send(int length, boolean atOnce) {
    if (bytes.length < length) {
      bytes = new byte[length];
    }
    JChannel open = channel;
    if (open == null) {
      throw new IllegalStateException("not connected");
    }
    Message message = new BytesMessage(other, bytes, 0, length);
    if (atOnce) {
      message.setFlag(Message.Flag.DONT_BUNDLE);
    }
    try {
      open.send(message);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits for the word that all have come. */
  private final class Flooding extends Run {
    Flooding(int bytes, int count) {
      super(bytes, count);
    }

    @Override
    void onBytes(int more) {
      end();
    }
  }

  /** Flow control may hold the sender back, and so it does not send in a call. */
  @Override
  public void flood(int bytes, int count) {
    Flooding run = new Flooding(bytes, count);
    start(run);
    for (int i = 0; i < count; i++) {
      send(bytes, false);
    }
    awaitOver(run);
  }

  @Override
  public void close() {
    if (channel != null) {
      channel.close();
    }
  }
}
