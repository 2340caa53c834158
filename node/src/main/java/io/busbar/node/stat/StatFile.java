package io.busbar.node.stat;

import io.busbar.linux.Errno;
import io.busbar.linux.Mapping;
import io.busbar.linux.MemoryAdvice;
import io.busbar.linux.MemoryFile;
import io.busbar.linux.OfdLock;
import io.busbar.linux.SystemCallException;
import io.busbar.linux.ThisProcess;
import io.busbar.node.NodeException;
import io.busbar.wire.StatLayout;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a node of this process, in a file that other processes read while it lives. The
 * file's space is reserved when it is made, so that no store can fail later. {@link #close} removes
 * it; what a killed process left, the next one that makes a file removes.
 *
 * <p>{@link #set}, {@link #add} and the setters of a {@link PeerRow} cost a few nanoseconds and
 * allocate nothing. One thread at a time; after {@link #close} they throw.
 */
public final class StatFile implements AutoCloseable {
  /** Another process may have this pid in a pid namespace of its own, and the same directory. */
  private static final int ATTEMPTS_MAX = 1000;

  private static final AtomicLong SERIALS = new AtomicLong();

  private final Path path;
  private final MemoryFile file;
  private final OfdLock lock;
  private final Mapping mapping;
  private final MemorySegment memory;
  private final Map<String, Integer> slots = new LinkedHashMap<>();
  private final PeerRows rows;
  private boolean closed;

  private StatFile(Path path, MemoryFile file, OfdLock lock, Mapping mapping, StatOwner owner) {
    this.path = path;
    this.file = file;
    this.lock = lock;
    this.mapping = mapping;
    this.memory = mapping.segment();
    this.rows = new PeerRows(memory);
    long nowMs = System.currentTimeMillis();
    StatWords.release(memory, StatLayout.VERSION_AT, StatLayout.VERSION);
    StatWords.release(memory, StatLayout.PID_AT, ThisProcess.pid());
    StatWords.set(memory, StatLayout.START_MS_AT, nowMs);
    StatWords.set(memory, StatLayout.INCARNATION_AT, owner.incarnation());
    StatWords.set(memory, StatLayout.CLUSTER_AT, owner.cluster());
    StatWords.release(memory, StatLayout.NODE_AT, owner.node());
    StatTexts.write(memory, StatLayout.NAME_AT, StatLayout.NAME_BYTES, owner.name());
    tick(System.nanoTime(), nowMs);
    StatWords.release(memory, StatLayout.MAGIC_AT, StatLayout.MAGIC);
  }

  /**
   * Makes a file in the host's shared memory, or, if it cannot be made there, among temporary ones.
   *
   * @throws NodeException when it can nowhere; it says why
   */
  public static StatFile create(StatOwner owner) {
    List<String> reasons = new ArrayList<>();
    for (Path place : StatFiles.places()) {
      try {
        return create(place, owner);
      } catch (NodeException e) {
        reasons.add(e.getMessage());
      }
    }
    throw new NodeException(String.join("; ", reasons));
  }

  /**
   * Makes a file in a directory, and removes there what dead processes left.
   *
   * @throws NodeException when it cannot be made; it says why, and what to do
   */
  public static StatFile create(Path directory, StatOwner owner) {
    StatFiles.sweep(directory);
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      Path path = StatFiles.path(directory, ThisProcess.pid(), SERIALS.getAndIncrement());
      StatFile made = tryCreate(path, owner);
      if (made != null) {
        return made;
      }
    }
    throw new NodeException(
        "cannot make a file of counters in %s: %d names of process %d are taken; choose another directory"
            .formatted(directory, ATTEMPTS_MAX, ThisProcess.pid()));
  }

  private static @Nullable StatFile tryCreate(Path path, StatOwner owner) {
    MemoryFile file;
    try {
      file = MemoryFile.create(path.toString());
    } catch (SystemCallException e) {
      if (e.errno() == Errno.EEXIST) {
        return null;
      }
      throw failure(path, e);
    }
    Mapping mapping = null;
    try {
      OfdLock lock = StatFiles.tryLock(file);
      if (lock == null) { // a sweeper took it for a dead one's
        file.close();
        return null;
      }
      file.reserve(StatLayout.FILE_BYTES);
      mapping = Mapping.of(file, 0, StatLayout.FILE_BYTES);
      mapping.advise(MemoryAdvice.POPULATE_WRITE, 0, StatLayout.FILE_BYTES);
      return new StatFile(path, file, lock, mapping, owner);
    } catch (SystemCallException e) {
      if (mapping != null) {
        mapping.close();
      }
      StatFiles.remove(path);
      file.close();
      throw failure(path, e);
    }
  }

  private static NodeException failure(Path path, SystemCallException e) {
    return new NodeException(
        "cannot make the file of counters %s: %s".formatted(path, e.getMessage()), e);
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /**
   * Gives a counter its place, at 0; the same name gets the same place again. For the cold path.
   *
   * @param name 1 to 32 printable characters of ASCII, without spaces
   * @throws IllegalArgumentException when the name cannot be shown, or 256 have a place already
   */
  public int register(String name) {
    Integer known = slots.get(name);
    if (known != null) {
      return known;
    }
    if (!StatTexts.isName(name, StatLayout.COUNTER_NAME_BYTES)) {
      throw new IllegalArgumentException(
          "a counter named '%s'; allowed: 1 to %d printable characters of ASCII without spaces"
              .formatted(name, StatLayout.COUNTER_NAME_BYTES));
    }
    int slot = slots.size();
    if (slot == StatLayout.COUNTERS_MAX) {
      throw new IllegalArgumentException(
          "no room for the counter '%s': %d are registered".formatted(name, slot));
    }
    long at = StatLayout.counterAt(slot) + StatLayout.COUNTER_NAME_AT;
    StatTexts.write(memory, at, StatLayout.COUNTER_NAME_BYTES, name);
    StatWords.release(memory, StatLayout.COUNTERS_AT, slot + 1);
    slots.put(name, slot);
    return slot;
  }

  private static long valueAt(int slot) {
    int checked = Objects.checkIndex(slot, StatLayout.COUNTERS_MAX);
    return StatLayout.counterAt(checked) + StatLayout.COUNTER_VALUE_AT;
  }

  /** Sets a counter. */
  public void set(int slot, long value) {
    StatWords.set(memory, valueAt(slot), value);
  }

  /** Adds to a counter. */
  public void add(int slot, long delta) {
    long at = valueAt(slot);
    StatWords.set(memory, at, StatWords.get(memory, at) + delta);
  }

  /**
   * The row of a peer, from now on shown as open; a peer that was gone begins anew. For the cold
   * path: keep what it returns.
   */
  public PeerRow row(int peer) {
    return rows.of(peer);
  }

  /**
   * Tells readers what the clock says, so that they know for how long a peer is blocked, and how
   * old the figures are. A few times a second is enough.
   *
   * @param nowNs by the clock of {@link PeerRow#blocked}: {@link System#nanoTime}
   * @param nowMs the time of day: {@link System#currentTimeMillis}
   */
  public void tick(long nowNs, long nowMs) {
    StatWords.set(memory, StatLayout.CLOCK_NS_AT, nowNs);
    StatWords.set(memory, StatLayout.CLOCK_MS_AT, nowMs);
  }

  /** Removes the file; a second time does nothing. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try {
        StatFiles.remove(path);
      } finally {
        lock.close();
        file.close();
        mapping.close();
      }
    }
  }
}
