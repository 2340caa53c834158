package io.busbar.cli;

import io.busbar.lab.FaultPlan;
import io.busbar.lab.Outcome;
import io.busbar.lab.Scenario;
import io.busbar.lab.TraceLine;
import io.busbar.lab.Violation;
import io.busbar.lab.bus.BusOutcome;
import io.busbar.lab.bus.BusScenario;
import io.busbar.lab.mpi.MpiOutcome;
import io.busbar.lab.mpi.MpiScenario;
import io.busbar.lab.stack.StackOutcome;
import io.busbar.lab.stack.StackScenario;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
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
    String readable =
        String.format(
            Locale.ROOT,
            "seed %d: %d nodes, %,d frames, %,d bytes delivered, %,d repairs, %,d timeouts, %.3f s"
                + " of virtual time, trace hash %016x%n  faults drawn: %s",
            seed,
            outcome.nodes(),
            outcome.frames(),
            outcome.bytes(),
            outcome.repairs(),
            outcome.timeouts(),
            outcome.virtualNs() / 1e9,
            outcome.traceHash(),
            kinds(outcome.faults()));
    String json =
        String.format(
            Locale.ROOT,
            "{\"lab\":\"scenario\",\"seed\":%d,\"ok\":%b,\"nodes\":%d,\"frames\":%d,\"bytes\":%d,"
                + "\"repairs\":%d,\"timeouts\":%d,\"virtual_ns\":%d,\"trace_hash\":\"%016x\","
                + "\"faults\":[%s],\"violation\":%s}",
            seed,
            outcome.ok(),
            outcome.nodes(),
            outcome.frames(),
            outcome.bytes(),
            outcome.repairs(),
            outcome.timeouts(),
            outcome.virtualNs(),
            outcome.traceHash(),
            jsonKinds(outcome.faults()),
            jsonText(outcome.violation()));
    return new LabRun(
        seed,
        outcome.nodes(),
        outcome.frames(),
        0,
        outcome.repairs(),
        outcome.virtualNs(),
        outcome.faults(),
        text(outcome.violation()),
        readable,
        json);
  }

  /** Runs programs that send messages over the whole stack. */
  static LabRun ofMessages(long seed, @Nullable Consumer<String> lines) {
    StackOutcome outcome = new StackScenario(seed, lines).run();
    String plot = outcome.plot().name().toLowerCase(Locale.ROOT);
    String readable =
        String.format(
            Locale.ROOT,
            "seed %d: %s, %d nodes, %,d frames, %,d messages with %,d bytes handled, %,d stalls,"
                + " %,d repairs, %,d nodes lost, %,d sends refused, %,d timed out, %,d messages broken"
                + " off, %.3f s of virtual time, trace hash %016x%n  faults drawn: %s",
            seed,
            plot,
            outcome.nodes(),
            outcome.frames(),
            outcome.messages(),
            outcome.bytes(),
            outcome.stalls(),
            outcome.repairs(),
            outcome.losses(),
            outcome.refusals(),
            outcome.timedOut(),
            outcome.brokenOff(),
            outcome.virtualNs() / 1e9,
            outcome.traceHash(),
            kinds(outcome.faults()));
    String json =
        String.format(
            Locale.ROOT,
            "{\"lab\":\"messages\",\"seed\":%d,\"ok\":%b,\"plot\":\"%s\",\"nodes\":%d,"
                + "\"frames\":%d,\"messages\":%d,\"bytes\":%d,\"stalls\":%d,\"repairs\":%d,"
                + "\"losses\":%d,\"refusals\":%d,\"timed_out\":%d,\"broken_off\":%d,\"virtual_ns\":%d,\"trace_hash\":\"%016x\","
                + "\"faults\":[%s],\"violation\":%s}",
            seed,
            outcome.ok(),
            plot,
            outcome.nodes(),
            outcome.frames(),
            outcome.messages(),
            outcome.bytes(),
            outcome.stalls(),
            outcome.repairs(),
            outcome.losses(),
            outcome.refusals(),
            outcome.timedOut(),
            outcome.brokenOff(),
            outcome.virtualNs(),
            outcome.traceHash(),
            jsonKinds(outcome.faults()),
            jsonText(outcome.violation()));
    return new LabRun(
        seed,
        outcome.nodes(),
        outcome.frames(),
        outcome.messages(),
        outcome.repairs(),
        outcome.virtualNs(),
        outcome.faults(),
        text(outcome.violation()),
        readable,
        json);
  }

  /** Runs members that find and lose each other, and broadcasts among them. */
  static LabRun ofBus(long seed, int nodes, @Nullable Consumer<String> lines) {
    BusOutcome outcome = new BusScenario(seed, nodes, lines).run();
    String readable =
        String.format(
            Locale.ROOT,
            "seed %d: %d nodes, %,d frames, %,d messages to all, %,d repairs, %.3f s of virtual"
                + " time, trace hash %016x%n  faults drawn: %s",
            seed,
            outcome.nodes(),
            outcome.frames(),
            outcome.messages(),
            outcome.repairs(),
            outcome.virtualNs() / 1e9,
            outcome.traceHash(),
            kinds(outcome.faults()));
    String json =
        String.format(
            Locale.ROOT,
            "{\"lab\":\"bus\",\"seed\":%d,\"ok\":%b,\"nodes\":%d,\"frames\":%d,\"messages\":%d,"
                + "\"repairs\":%d,\"virtual_ns\":%d,\"trace_hash\":\"%016x\","
                + "\"faults\":[%s],\"violation\":%s}",
            seed,
            outcome.ok(),
            outcome.nodes(),
            outcome.frames(),
            outcome.messages(),
            outcome.repairs(),
            outcome.virtualNs(),
            outcome.traceHash(),
            jsonKinds(outcome.faults()),
            jsonText(outcome.violation()));
    return new LabRun(
        seed,
        outcome.nodes(),
        outcome.frames(),
        outcome.messages(),
        outcome.repairs(),
        outcome.virtualNs(),
        outcome.faults(),
        text(outcome.violation()),
        readable,
        json);
  }

  /** Runs ranks with programs of MPI. */
  static LabRun ofMpi(long seed, int ranks, @Nullable Consumer<String> lines) {
    MpiOutcome outcome = new MpiScenario(seed, ranks, lines).run();
    String manner = outcome.manner().name().toLowerCase(Locale.ROOT);
    String readable =
        String.format(
            Locale.ROOT,
            "seed %d: %d ranks that %s, %,d frames, %,d messages with %,d bytes, %,d collectives,"
                + " %,d ranks killed, %,d errors, %,d repairs, %.3f s of virtual time, trace hash"
                + " %016x%n  faults drawn: %s",
            seed,
            outcome.ranks(),
            manner.replace('_', ' '),
            outcome.frames(),
            outcome.messages(),
            outcome.bytes(),
            outcome.collectives(),
            outcome.deaths(),
            outcome.errors(),
            outcome.repairs(),
            outcome.virtualNs() / 1e9,
            outcome.traceHash(),
            kinds(outcome.faults()));
    String json =
        String.format(
            Locale.ROOT,
            "{\"lab\":\"mpi\",\"seed\":%d,\"ok\":%b,\"ranks\":%d,\"manner\":\"%s\",\"frames\":%d,"
                + "\"messages\":%d,\"bytes\":%d,\"collectives\":%d,\"deaths\":%d,\"errors\":%d,"
                + "\"repairs\":%d,\"virtual_ns\":%d,\"trace_hash\":\"%016x\","
                + "\"faults\":[%s],\"violation\":%s}",
            seed,
            outcome.ok(),
            outcome.ranks(),
            manner,
            outcome.frames(),
            outcome.messages(),
            outcome.bytes(),
            outcome.collectives(),
            outcome.deaths(),
            outcome.errors(),
            outcome.repairs(),
            outcome.virtualNs(),
            outcome.traceHash(),
            jsonKinds(outcome.faults()),
            jsonText(outcome.violation()));
    return new LabRun(
        seed,
        outcome.ranks(),
        outcome.frames(),
        outcome.messages(),
        outcome.repairs(),
        outcome.virtualNs(),
        outcome.faults(),
        text(outcome.violation()),
        readable,
        json);
  }

  private static @Nullable String text(@Nullable Violation violation) {
    return violation == null ? null : String.valueOf(violation.getMessage());
  }

  private static String jsonText(@Nullable Violation violation) {
    String text = text(violation);
    return text == null ? "null" : '"' + Json.escape(text) + '"';
  }

  private static String kinds(Set<FaultPlan.Kind> faults) {
    return faults.isEmpty()
        ? "none"
        : faults.stream()
            .map(kind -> kind.name().toLowerCase(Locale.ROOT).replace('_', ' '))
            .collect(Collectors.joining(", "));
  }

  private static String jsonKinds(Set<FaultPlan.Kind> faults) {
    return faults.stream().map(kind -> '"' + kind.name() + '"').collect(Collectors.joining(","));
  }

  /** Which faults were drawn, for people. */
  String faultNames() {
    return kinds(faults);
  }
}
