package io.busbar.cli;

import io.busbar.lab.FaultPlan;
import io.busbar.lab.Outcome;
import io.busbar.lab.RunOutcome;
import io.busbar.lab.Scenario;
import io.busbar.lab.TraceLine;
import io.busbar.lab.bus.BusOutcome;
import io.busbar.lab.bus.BusScenario;
import io.busbar.lab.mpi.MpiOutcome;
import io.busbar.lab.mpi.MpiScenario;
import io.busbar.lab.stack.StackOutcome;
import io.busbar.lab.stack.StackScenario;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of the lab, as it is told.
 *
 * @param messages that were handled, or said to all; 0 where there are none
 * @param violation what was violated, or null
 * @param readable for people
 * @param json for programs, one object
 */
record LabRun(
    long seed,
    int nodes,
    long frames,
    long messages,
    long repairs,
    long virtualNs,
    Set<FaultPlan.Kind> faults,
    @Nullable String violation,
    String readable,
    String json) {

  /** Runs the transport over the simulated network. */
  static LabRun ofTransport(long seed, @Nullable Consumer<String> lines) {
    Outcome outcome = new Scenario(seed).run(lines == null ? null : new TraceLine(lines));
    LabText text =
        new LabText("scenario", outcome)
            .with("nodes", outcome.nodes(), "%,d nodes")
            .with("frames", outcome.frames(), "%,d frames")
            .with("bytes", outcome.bytes(), "%,d bytes delivered")
            .with("repairs", outcome.repairs(), "%,d repairs")
            .with("timeouts", outcome.timeouts(), "%,d timeouts");
    return of(outcome, 0, text);
  }

  /** Runs programs that send messages over the whole stack. */
  static LabRun ofMessages(long seed, @Nullable Consumer<String> lines) {
    StackOutcome outcome = new StackScenario(seed, lines).run();
    LabText text =
        new LabText("messages", outcome)
            .with("plot", outcome.plot().name().toLowerCase(Locale.ROOT), "%s")
            .with("nodes", outcome.nodes(), "%,d nodes")
            .with("frames", outcome.frames(), "%,d frames")
            .with("messages", outcome.messages(), "%,d messages")
            .with("bytes", outcome.bytes(), " with %,d bytes handled")
            .with("stalls", outcome.stalls(), "%,d stalls")
            .with("repairs", outcome.repairs(), "%,d repairs")
            .with("losses", outcome.losses(), "%,d nodes lost")
            .with("refusals", outcome.refusals(), "%,d sends refused")
            .with("timed_out", outcome.timedOut(), "%,d timed out")
            .with("broken_off", outcome.brokenOff(), "%,d messages broken off");
    return of(outcome, outcome.messages(), text);
  }

  /** Runs members that find and lose each other, and broadcasts among them. */
  static LabRun ofBus(long seed, int nodes, @Nullable Consumer<String> lines) {
    BusOutcome outcome = new BusScenario(seed, nodes, lines).run();
    LabText text =
        new LabText("bus", outcome)
            .with("nodes", outcome.nodes(), "%,d nodes")
            .with("frames", outcome.frames(), "%,d frames")
            .with("messages", outcome.messages(), "%,d messages to all")
            .with("repairs", outcome.repairs(), "%,d repairs");
    return of(outcome, outcome.messages(), text);
  }

  /** Runs ranks with programs of MPI. */
  static LabRun ofMpi(long seed, int ranks, @Nullable Consumer<String> lines) {
    MpiOutcome outcome = new MpiScenario(seed, ranks, lines).run();
    LabText text =
        new LabText("mpi", outcome)
            .with("ranks", outcome.nodes(), "%,d ranks")
            .with("manner", outcome.manner().name().toLowerCase(Locale.ROOT), " that %s")
            .with("frames", outcome.frames(), "%,d frames")
            .with("messages", outcome.messages(), "%,d messages")
            .with("bytes", outcome.bytes(), " with %,d bytes")
            .with("collectives", outcome.collectives(), "%,d collectives")
            .with("deaths", outcome.deaths(), "%,d ranks killed")
            .with("errors", outcome.errors(), "%,d errors")
            .with("repairs", outcome.repairs(), "%,d repairs");
    return of(outcome, outcome.messages(), text);
  }

  private static LabRun of(RunOutcome outcome, long messages, LabText text) {
    return new LabRun(
        outcome.seed(),
        outcome.nodes(),
        outcome.frames(),
        messages,
        outcome.repairs(),
        outcome.virtualNs(),
        outcome.faults(),
        LabText.text(outcome.violation()),
        text.readable(),
        text.json());
  }

  /** Which faults were drawn, for people. */
  String faultNames() {
    return LabText.names(faults);
  }
}
