package io.busbar.cli;

import io.busbar.mpi.MpiConfig;
import io.busbar.node.NodeConfig;

/** What {@code busbar run} tells each process that it starts, in environment variables. */
final class RunEnvironment {
  /** Which of the processes it is: 0 to size - 1. */
  static final String RANK = NodeConfig.RANK;

  /** How many processes there are, at least 1. */
  static final String SIZE = NodeConfig.SIZE;

  /** The name of this run: the same for all its processes, another one for every other run. */
  static final String JOB = NodeConfig.JOB;

  /**
   * A folder that all processes see: empty at first, for the user alone (mode 0700), deleted after
   * the last of them has ended.
   */
  static final String MEETING = NodeConfig.MEETING;

  /** Hosts at which they find each other, where there is no folder that all see. */
  static final String SEEDS = NodeConfig.SEEDS;

  /** The carriers that they use. */
  static final String FABRICS = NodeConfig.USED;

  /** The folder into which every process writes the frames that it sends and receives. */
  static final String CAPTURE = NodeConfig.CAPTURE;

  /** Set when the arguments begin with those of MPJ Express, which MPI.Init then takes away. */
  static final String MPJ = "BUSBAR_MPJ";

  /** Set when the members of a communicator compare what they call. */
  static final String CHECK = MpiConfig.CHECK;

  /** The folder in which processes say what they wait for. */
  static final String WATCH = MpiConfig.WATCH;

  /** Options for the JVMs, separated by spaces; read by the launcher, and by the script for it. */
  static final String JAVA_OPTIONS = "BUSBAR_JAVA_OPTS";

  private RunEnvironment() {}
}
