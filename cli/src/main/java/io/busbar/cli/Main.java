package io.busbar.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Where the command begins. */
@Command(
    name = "busbar",
    mixinStandardHelpOptions = true,
    version = "busbar 0.1.0-SNAPSHOT",
    description = "A user-level cluster interconnect for the JVM.",
    subcommands = {
      RunCommand.class,
      JarCommand.class,
      DemoCommand.class,
      DoctorCommand.class,
      StatCommand.class,
      NodesCommand.class,
      LabCommand.class,
      BenchCommand.class
    },
    synopsisSubcommandLabel = "COMMAND")
public final class Main implements Runnable {
  /** Exit code of a run that found a violation or missed what it checks. */
  static final int FAILED = 1;

  private Main() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  /** Runs a command; returns its exit code. */
  static int run(String... args) {
    CommandLine line = new CommandLine(new Main());
    line.setCaseInsensitiveEnumValuesAllowed(true);
    // What follows the program of `run` is the program's, to the letter.
    line.setExpandAtFiles(false);
    Objects.requireNonNull(line.getSubcommands().get("run")).setStopAtPositional(true);
    line.setParameterExceptionHandler(
        (e, words) -> {
          CommandLine command = e.getCommandLine();
          String name = command.getCommandSpec().qualifiedName();
          command.getErr().println(name + ": " + e.getMessage());
          command.getErr().println("See ./" + name + " --help.");
          return CommandLine.ExitCode.USAGE;
        });
    line.setExecutionExceptionHandler(
        (e, command, parsed) -> {
          String name = command.getCommandName();
          command.getErr().println("busbar " + name + ": " + e.getMessage());
          return CommandLine.ExitCode.SOFTWARE;
        });
    return line.execute(args);
  }

  /** A wrong use of a command: it ends with exit code 2. */
  static ParameterException misuse(@Nullable CommandSpec spec, String what) {
    if (spec == null) {
      throw new IllegalStateException("the command was not started by picocli");
    }
    return new ParameterException(spec.commandLine(), what);
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }
}
