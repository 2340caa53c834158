package io.busbar.bench.contest;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SelectStrategy;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * TCP as Netty has it over epoll: one event loop, which polls while a run lasts; all that a run
 * does is done there, as Netty wants it. Messages of a flood are flushed some at a time, and
 * whenever no more fit.
 */
final class OverNetty extends Upcalls {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int MESSAGES_PER_FLUSH = 64;

  private final boolean asks;
  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(
          1,
          EpollIoHandler.newFactory(
              0, () -> (ready, hasTasks) -> hasTasks ? ready.get() : pollsOrSleeps()));
  private final ByteBuf bytes =
      Unpooled.unreleasableBuffer(Unpooled.directBuffer(BUFFER_BYTES).writeZero(BUFFER_BYTES));
  private final CountDownLatch joined = new CountDownLatch(1);
  private final @Nullable Channel server;
  private volatile @Nullable Channel channel;

  /** While a run lasts. */
  private volatile boolean polls;

  OverNetty(String host, boolean asks) {
    this.asks = asks;
    server =
        asks
            ? null
            : new ServerBootstrap()
                .group(group)
                .channel(EpollServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(ends())
                .bind(new InetSocketAddress(host, 0))
                .syncUninterruptibly()
                .channel();
  }

  private int pollsOrSleeps() {
    return polls ? SelectStrategy.BUSY_WAIT : SelectStrategy.SELECT;
  }

  private ChannelInitializer<Channel> ends() {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel open) {
        open.pipeline().addLast(new End());
      }
    };
  }

  /** Hands what comes to the run. */
  private final class End extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext context) {
      channel = context.channel();
      joined.countDown();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf came = (ByteBuf) message;
      int count = came.readableBytes();
      came.release();
      onBytes(count);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      onRoom();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable why) {
      onFailure(why);
    }
  }

  private final class Flooding extends Run {
    private int sent;

    Flooding(int bytes, int count) {
      super(bytes, count);
    }

    @Override
    void begin() {
      Channel to = open();
      while (sent < count && to.isWritable()) {
        var _ = to.write(OverNetty.this.bytes.slice(0, bytes));
        if (++sent % MESSAGES_PER_FLUSH == 0) {
          to.flush();
        }
      }
      to.flush();
    }

    @Override
    void onRoom() {
      begin();
    }

    @Override
    void onBytes(int more) {
      end(); // the other end has all of them
    }
  }

  @Override
  public String address() {
    return server == null ? "none" : NioTcp.text(server.localAddress());
  }

  @Override
  public void connect(String other) {
    if (asks) {
      var _ =
          new Bootstrap()
              .group(group)
              .channel(EpollSocketChannel.class)
              .option(ChannelOption.TCP_NODELAY, true)
              .handler(ends())
              .connect(NioTcp.parse(other))
              .syncUninterruptibly();
    }
    await(joined, "nobody has connected");
  }

  private Channel open() {
    Channel now = channel;
    if (now == null) {
      throw new IllegalStateException("not connected");
    }
    return now;
  }

  @Override
  void send(int length) {
    var _ = open().writeAndFlush(bytes.slice(0, length));
  }

  @Override
  void begin(Runnable start) {
    open()
        .eventLoop()
        .execute(
            () -> {
              polls = true;
              start.run();
            });
  }

  @Override
  void onOver() {
    polls = false;
  }

  @Override
  public void flood(int bytes, int count) {
    perform(new Flooding(bytes, count));
  }

  @Override
  public void close() {
    var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
