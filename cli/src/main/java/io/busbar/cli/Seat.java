package io.busbar.cli;

import java.util.List;
import java.util.Map;

/** Where a process of a job runs. */
sealed interface Seat permits LocalSeat, RemoteSeat {
  /**
   * The process, ready to start there.
   *
   * @param program its command
   * @param told what it is told in its environment
   */
  ProcessBuilder prepare(List<String> program, Map<String, String> told);

  /** The host, for people. */
  String where();

  /** Whether the process sees the files of this host. */
  boolean isHere();
}
