package io.busbar.bench.path;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the kernel tells of two threads, in an instance of tracefs that is this object's own and
 * goes with it. Nothing else that may be traced on this machine is touched.
 */
final class KernelTrace implements AutoCloseable {
  private static final Path ROOT = Path.of("/sys/kernel/tracing");
  private static final Path INSTANCES = ROOT.resolve("instances");
  private static final String BUFFER_KB = "4096";
  private static final int PAGE_BYTES = 65_536;
  private static final Pattern ENTRIES = Pattern.compile("(?m)^entries: (\\d+)");

  private static final List<String> EVENTS =
      List.of(
          "net/net_dev_queue",
          "net/netif_rx",
          "net/netif_receive_skb",
          "sock/sk_data_ready",
          "sock/sock_recv_length",
          "sched/sched_switch",
          "syscalls/sys_enter_sendto",
          "syscalls/sys_enter_sendmsg",
          "syscalls/sys_enter_sendmmsg",
          "syscalls/sys_exit_recvfrom",
          "syscalls/sys_exit_recvmsg",
          "syscalls/sys_exit_recvmmsg");

  private final Path instance;
  private final Map<Integer, TracePages.Layout> layouts = new HashMap<>();

  private KernelTrace(Path instance) {
    this.instance = instance;
  }

  /**
   * Opens one.
   *
   * @throws IOException when it is not there, or not permitted
   */
  static KernelTrace open() throws IOException {
    if (!Files.isDirectory(INSTANCES)) {
      mount();
    }
    String name = "busbar-%d-%x".formatted(ProcessHandle.current().pid(), System.nanoTime());
    Path made = Files.createDirectory(INSTANCES.resolve(name));
    KernelTrace trace = new KernelTrace(made);
    try {
      trace.put("tracing_on", "0");
      trace.put("trace_clock", "mono");
      trace.put("buffer_size_kb", BUFFER_KB);
      for (String event : EVENTS) {
        trace.enable(event);
      }
      return trace;
    } catch (IOException e) {
      trace.close();
      throw e;
    }
  }

  /** Puts tracefs where every tool expects it; some machines begin without it. It stays there. */
  private static void mount() throws IOException {
    Process mount =
        new ProcessBuilder("mount", "-t", "tracefs", "tracefs", ROOT.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(mount.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (mount.waitFor() != 0) {
        throw new IOException("cannot mount it on %s: %s".formatted(ROOT, said.strip()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("while mounting it");
    }
  }

  private void put(String file, String text) throws IOException {
    Path _ = Files.writeString(instance.resolve(file), text);
  }

  /** A kernel that has no such event has one border less. */
  private void enable(String event) throws IOException {
    Path folder = instance.resolve("events").resolve(event);
    if (!Files.exists(folder)) {
      return;
    }
    String format = Files.readString(folder.resolve("format"));
    int id = Integer.parseInt(Files.readString(folder.resolve("id")).strip());
    String name = event.substring(event.indexOf('/') + 1);
    layouts.put(
        id, new TracePages.Layout(name, offset(format, "skbaddr"), offset(format, "next_pid")));
    if (name.startsWith("sys_exit_") || name.equals("sock_recv_length")) { // who polls gets little
      put("events/" + event + "/filter", "ret > 0");
    }
    put("events/" + event + "/enable", "1");
  }

  private static int offset(String format, String field) {
    Matcher found = Pattern.compile("\\b" + field + ";\\s+offset:(\\d+);").matcher(format);
    return found.find() ? Integer.parseInt(found.group(1)) : -1;
  }

  /** Begins to note what these threads do. */
  void start(int... threads) throws IOException {
    StringBuilder all = new StringBuilder();
    for (int thread : threads) {
      all.append(thread).append(' ');
    }
    put("set_event_pid", all.toString());
    put("trace", "");
    put("tracing_on", "1");
  }

  /** Ends it; what was noted, in the order of time. */
  List<KernelEvent> stop() throws IOException {
    put("tracing_on", "0");
    List<KernelEvent> events = new ArrayList<>();
    TracePages pages = new TracePages(layouts);
    try (Stream<Path> processors = Files.list(instance.resolve("per_cpu"))) {
      for (Path processor : processors.toList()) {
        read(processor, pages, events);
      }
    }
    events.sort(Comparator.comparingLong(KernelEvent::atNs));
    return events;
  }

  /** An empty buffer would be waited for. */
  private static void read(Path processor, TracePages pages, List<KernelEvent> to)
      throws IOException {
    byte[] page = new byte[PAGE_BYTES];
    try (InputStream raw = new FileInputStream(processor.resolve("trace_pipe_raw").toFile())) {
      while (entries(processor) > 0) {
        int length = raw.read(page);
        if (length <= 0) {
          return;
        }
        pages.read(page, length, to);
      }
    }
  }

  private static long entries(Path processor) throws IOException {
    Matcher found = ENTRIES.matcher(Files.readString(processor.resolve("stats")));
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  @Override
  public void close() {
    try {
      put("tracing_on", "0");
      put("events/enable", "0");
      Files.delete(instance);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove %s".formatted(instance), e);
    }
  }

  @Override
  public String toString() {
    return instance.toString();
  }
}
