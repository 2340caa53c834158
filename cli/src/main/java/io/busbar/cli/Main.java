package io.busbar.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Where the command begins. */
@Command(
    name = "busbar",
    mixinStandardHelpOptions = true,
    version = "busbar 0.1.0-SNAPSHOT",
    description = "A user-level cluster interconnect for the JVM.",
    subcommands = {LabCommand.class, BenchCommand.class},
    synopsisSubcommandLabel = "COMMAND")
public final class Main implements Runnable {
  /** Exit code of a run that found a violation or missed what it checks. */
  static final int FAILED = 1;

  private Main() {}

  /** Runs a command. */
  public static void main(String[] args) {
    CommandLine line = new CommandLine(new Main());
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExecutionExceptionHandler(
        (e, command, parsed) -> {
          String name = command.getCommandName();
          command.getErr().println("busbar " + name + ": " + e.getMessage());
          return CommandLine.ExitCode.SOFTWARE;
        });
    System.exit(line.execute(args));
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }
}
