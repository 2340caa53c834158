package io.busbar.linux;

import static io.busbar.linux.FileNumbers.FSCONFIG_CMD_CREATE;
import static io.busbar.linux.FileNumbers.FSCONFIG_SET_STRING;
import static io.busbar.linux.FileNumbers.FSMOUNT_CLOEXEC;
import static io.busbar.linux.FileNumbers.FSOPEN_CLOEXEC;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A file system that is mounted nowhere: only who has its descriptor reaches it, and it ends with
 * the last file. Its calls are linked when it is first asked for: C libraries before 2.36 have no
 * functions for them.
 */
final class DetachedMount {
  private static final MethodHandle FSOPEN =
      Native.call("fsopen", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle FSCONFIG =
      Native.call(
          "fsconfig",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
  private static final MethodHandle FSMOUNT =
      Native.call("fsmount", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));

  private DetachedMount() {}

  /** A tmpfs whose files have pages of 2 MB where there are some; its folder, to be closed. */
  static FileDescriptor ofLargePages() {
    String name = "a tmpfs with pages of 2 MB";
    try (Arena arena = Arena.ofConfined();
        FileDescriptor context =
            FileDescriptor.of(fsopen(arena.allocateFrom("tmpfs")), name, "fsopen")) {
      MemorySegment key = arena.allocateFrom("huge");
      MemorySegment value = arena.allocateFrom("always");
      check(fsconfig(context, FSCONFIG_SET_STRING, key, value), name);
      check(fsconfig(context, FSCONFIG_CMD_CREATE, MemorySegment.NULL, MemorySegment.NULL), name);
      return FileDescriptor.of(fsmount(context), name, "fsmount");
    }
  }

  private static void check(int result, String name) {
    if (result < 0) {
      throw new SystemCallException("set up " + name, "fsconfig", -result);
    }
  }

  private static int fsopen(MemorySegment type) {
    MemorySegment state = Native.state();
    try {
      return Native.result((int) FSOPEN.invokeExact(state, type, FSOPEN_CLOEXEC), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  private static int fsconfig(
      FileDescriptor context, int command, MemorySegment key, MemorySegment value) {
    MemorySegment state = Native.state();
    try {
      return Native.result(
          (int) FSCONFIG.invokeExact(state, context.number(), command, key, value, 0), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }

  private static int fsmount(FileDescriptor context) {
    MemorySegment state = Native.state();
    try {
      return Native.result(
          (int) FSMOUNT.invokeExact(state, context.number(), FSMOUNT_CLOEXEC, 0), state);
    } catch (Throwable e) {
      throw Native.unexpected(e);
    }
  }
}
