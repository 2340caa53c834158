package io.busbar.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where a thread is, as its program sees it.
 *
 * @param call the method of MPI that the program called
 * @param place the line that did
 */
record Frames(String call, String place) {
  static final Frames NONE = new Frames("", "");

  private static final List<String> OURS = List.of("mpi.", "io.busbar.", "mpjbuf.", "mpjdev.");
  private static final List<String> SYSTEMS = List.of("java.", "javax.", "jdk.", "sun.");

  /** What a virtual thread of ours is called. */
  private static final String TASK = "busbar mpi ";

  /** Of a thread that is in a call of MPI. */
  static Frames of(Thread thread) {
    String call = "";
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (begins(frame, OURS)) {
        call = frame.getMethodName();
      } else if (!call.isEmpty() && !begins(frame, SYSTEMS)) {
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
          if (!begins(frame, OURS) && !begins(frame, SYSTEMS)) {
            busy.add("%s at %s".formatted(one.getKey().getName(), place(frame)));
            break;
          }
        }
      }
    }
    busy.sort(null);
    return busy;
  }

  private static boolean begins(StackTraceElement frame, List<String> packages) {
    return packages.stream().anyMatch(frame.getClassName()::startsWith);
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
