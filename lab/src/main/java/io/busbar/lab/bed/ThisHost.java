package io.busbar.lab.bed;

import java.util.ArrayList;
import java.util.List;

/** The machine itself, for what needs neither a second host nor the right to make one. */
public final class ThisHost implements Host {
  /** The machine. */
  public ThisHost() {}

  @Override
  public String name() {
    return "localhost";
  }

  @Override
  public String deviceName() {
    return "";
  }

  @Override
  public String addressText() {
    return "127.0.0.1";
  }

  @Override
  public Host onCable(int cable) {
    return this;
  }

  @Override
  public long sentBytes() {
    return 0;
  }

  @Override
  public HostProcess start(List<String> command) {
    return launch(String.join(" ", command), command);
  }

  @Override
  public HostProcess java(List<String> options, Class<?> main, List<String> arguments) {
    return launch(ChildJvm.words(main, arguments), ChildJvm.command(options, main, arguments));
  }

  private static HostProcess launch(String what, List<String> command) {
    List<String> all = new ArrayList<>(List.of(Tool.SETPRIV.path(), "--pdeathsig", "KILL"));
    all.addAll(command);
    return HostProcess.start("'%s'".formatted(what), all);
  }
}
