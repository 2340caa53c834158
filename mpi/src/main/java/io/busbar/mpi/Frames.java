package io.busbar.mpi;

import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where a thread is, as its program sees it.
 *
 * @param call the method of MPI that the program called
 * @param place the line that did
 */
record Frames(String call, String place) {
  static final Frames NONE = new Frames("", "");

  private static final String ROOMS = "io.busbar.";

  /** Packages in which programs may have classes, too. */
  private static final Set<String> SHARED = Set.of("mpi", "mpjbuf", "mpjdev");

  private static final List<String> SYSTEMS = List.of("java.", "javax.", "jdk.", "sun.");

  /** Which classes of those packages came with this one. */
  private static final Map<String, Boolean> KNOWN = new ConcurrentHashMap<>();

  /** What a virtual thread of ours is called. */
  private static final String TASK = "busbar mpi ";

  /** Of a thread that is in a call of MPI. */
  static Frames of(Thread thread) {
    String call = "";
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (isOurs(frame)) {
        call = frame.getMethodName();
      } else if (!call.isEmpty() && !isOfSystem(frame)) {
        return new Frames(call, place(frame));
      }
    }
    String name = thread.getName();
    return name.startsWith(TASK)
        ? new Frames(name.substring(TASK.length()), "by itself")
        : new Frames(call, "");
  }

  /**
   * Threads of the program that are not among those, and run, or sleep for a while: they may still
   * do something. Who waits for another thread cannot by itself. Virtual threads are not seen.
   */
  static List<String> busy(Set<Thread> waiting) {
    List<String> busy = new ArrayList<>();
    for (Map.Entry<Thread, StackTraceElement[]> one : Thread.getAllStackTraces().entrySet()) {
      Thread.State state = one.getKey().getState();
      boolean goesOn = state == Thread.State.RUNNABLE || state == Thread.State.TIMED_WAITING;
      if (goesOn && !waiting.contains(one.getKey())) {
        for (StackTraceElement frame : one.getValue()) {
          if (!isOurs(frame) && !isOfSystem(frame)) {
            busy.add("%s at %s".formatted(one.getKey().getName(), place(frame)));
            break;
          }
        }
      }
    }
    busy.sort(null);
    return busy;
  }

  private static boolean isOfSystem(StackTraceElement frame) {
    return SYSTEMS.stream().anyMatch(frame.getClassName()::startsWith);
  }

  private static boolean isOurs(StackTraceElement frame) {
    String name = frame.getClassName();
    String inPackage = name.substring(0, Math.max(0, name.lastIndexOf('.')));
    return name.startsWith(ROOMS)
        || (SHARED.contains(inPackage) && KNOWN.computeIfAbsent(name, Frames::cameWithThis));
  }

  private static boolean cameWithThis(String name) {
    String found = placeOf(name);
    String own = Frames.class.getName();
    return !found.isEmpty() && rootOf(found, name).equals(rootOf(placeOf(own), own));
  }

  private static String placeOf(String name) {
    URL found = Frames.class.getResource("/" + name.replace('.', '/') + ".class");
    return found == null ? "" : found.toString();
  }

  private static String rootOf(String place, String name) {
    return place.substring(0, place.length() - name.length() - ".class".length());
  }

  private static String place(StackTraceElement frame) {
    return "%s.%s(%s:%d)"
        .formatted(
            frame.getClassName(),
            frame.getMethodName(),
            frame.getFileName(),
            frame.getLineNumber());
  }
}
