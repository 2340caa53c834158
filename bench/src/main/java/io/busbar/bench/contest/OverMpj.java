package io.busbar.bench.contest;

import io.busbar.lab.bed.Packages;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * MPJ Express as Debian has it, over its niodev. It is in no repository of Java's: its classes are
 * found when they are first used. Its processes meet at a server, as they do at its launcher's;
 * here the asking end keeps it.
 */
final class OverMpj implements Contender {
  private static final String JAR = "/usr/share/mpj/lib/mpj.jar";
  private static final String LOG_JAR = "/usr/share/java/log4j-1.2.jar";
  private static final List<String> PACKAGES = List.of("libmpj-java", "liblog4j1.2-java");

  /** Its default: from this size on a message waits until it is asked for. */
  private static final int SWITCH_BYTES = 128 << 10;

  private static final int RANKS = 2;
  private static final int TAG = 1;
  private static final int MEETING_MS = 30_000;

  private final Place place;
  private final int other;
  private final ServerSocket meeting;
  private @Nullable Calls calls;
  private byte[] bytes = {};

  OverMpj(Place place) throws IOException {
    this.place = place;
    other = place.asks() ? 1 : 0;
    meeting = new ServerSocket(0, RANKS, InetAddress.getByName(place.host()));
    meeting.setSoTimeout(MEETING_MS);
  }

  static void require(Packages packages) {
    packages.need(JAR, PACKAGES);
    packages.need(LOG_JAR, PACKAGES);
  }

  @Override
  public String address() {
    return NioTcp.text(meeting.getLocalSocketAddress());
  }

  @Override
  public void connect(String at) {
    if (place.asks()) {
      Thread.ofPlatform().daemon().name("mpj-meeting").start(this::meet);
    }
    String[] where = (place.asks() ? address() : at).split(":", -1);
    String setup =
        "#Number of Processes;%d;#Protocol Switch Limit;%d;#Server Name;%s;#Server Port;%s"
            .formatted(RANKS, SWITCH_BYTES, where[0], where[1]);
    try {
      calls = new Calls(new String[] {Integer.toString(1 - other), setup, "niodev"}, other);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Hears where each rank listens, and tells all of them. */
  private void meet() {
    Socket[] ranks = new Socket[RANKS];
    String[] listens = new String[RANKS];
    try {
      for (int i = 0; i < RANKS; i++) {
        ranks[i] = meeting.accept();
        DataInputStream heard = new DataInputStream(ranks[i].getInputStream());
        String _ = heard.readUTF();
        int writes = heard.readInt();
        int reads = heard.readInt();
        int rank = heard.readInt();
        String host = ranks[i].getInetAddress().getHostAddress();
        listens[rank] = "%s@%d@%d@%d@0".formatted(host, reads, writes, rank);
      }
      for (Socket rank : ranks) {
        String told = "#Peer Information;" + String.join(";", listens);
        new DataOutputStream(rank.getOutputStream()).writeUTF(told);
        rank.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its calls between the two ranks. */
  private static final class Calls {
    private final Class<?> mpi;
    private final MethodHandle send;
    private final MethodHandle receive;

    Calls(String[] arguments, int other) throws IOException, ReflectiveOperationException {
      URL[] jars = {Path.of(JAR).toUri().toURL(), Path.of(LOG_JAR).toUri().toURL()};
      // Not below the platform's loader: that one knows package mpi as Busbar's.
      ClassLoader loader = new URLClassLoader("mpj-express", jars, null);
      mpi = loader.loadClass("mpi.MPI");
      Object _ = mpi.getMethod("Init", String[].class).invoke(null, (Object) arguments);
      Class<?> type = loader.loadClass("mpi.Datatype");
      Class<?> status = loader.loadClass("mpi.Status");
      MethodType form =
          MethodType.methodType(
              void.class, Object.class, int.class, int.class, type, int.class, int.class);
      send = bound("Send", form, other);
      receive = bound("Recv", form.changeReturnType(status), other);
    }

    private MethodHandle bound(String name, MethodType form, int other)
        throws ReflectiveOperationException {
      Object world = mpi.getField("COMM_WORLD").get(null);
      Object type = mpi.getField("BYTE").get(null);
      MethodHandle call = MethodHandles.publicLookup().findVirtual(world.getClass(), name, form);
      return MethodHandles.insertArguments(call.bindTo(world), 3, type, other, TAG)
          .asType(MethodType.methodType(void.class, Object.class, int.class, int.class));
    }

    void send(byte[] bytes, int length) {
      try {
        send.invokeExact((Object) bytes, 0, length);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    void receive(byte[] bytes, int length) {
      try {
        receive.invokeExact((Object) bytes, 0, length);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    void end() {
      try {
        Object _ = mpi.getMethod("Finalize").invoke(null);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private Calls calls(int length) {
    Calls now = calls;
    if (now == null) {
      throw new IllegalStateException("not connected");
    }
    if (bytes.length < length) {
      bytes = new byte[length];
    }
    return now;
  }

  @Override
  public void ask(int length, int count, long[] roundTripsNs) {
    Calls to = calls(length);
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      to.send(bytes, length);
      to.receive(bytes, length);
      roundTripsNs[i] = System.nanoTime() - start;
    }
  }

  @Override
  public void answer(int length, int count) {
    Calls to = calls(length);
    for (int i = 0; i < count; i++) {
      to.receive(bytes, length);
      to.send(bytes, length);
    }
  }

  @Override
  public void flood(int length, int count) {
    Calls to = calls(length);
    for (int i = 0; i < count; i++) {
      to.send(bytes, length);
    }
    to.receive(bytes, 1);
  }

  @Override
  public void sink(int length, int count) {
    Calls to = calls(length);
    for (int i = 0; i < count; i++) {
      to.receive(bytes, length);
    }
    to.send(bytes, 1);
  }

  @Override
  public void close() {
    if (calls != null) {
      calls.end();
    }
    try {
      meeting.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
