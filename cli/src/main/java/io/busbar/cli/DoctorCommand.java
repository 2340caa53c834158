package io.busbar.cli;

import io.busbar.fabric.shm.ShmNic;
import io.busbar.fabric.survey.CarrierTrial;
import io.busbar.fabric.survey.DeviceFound;
import io.busbar.fabric.survey.LimitFound;
import io.busbar.fabric.survey.PeerChoice;
import io.busbar.fabric.survey.Survey;
import io.busbar.fabric.udp.UdpNic;
import io.busbar.linux.DeviceDriver;
import io.busbar.node.Discovery;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code busbar doctor}: what this process can use, and why not the rest. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Tries every carrier with a real frame on this host, and says which ones this process can use,"
          + " why not the others, and which limits hold it back. Nothing leaves the host.",
      ""
    },
    footer = {
      "",
      "Exit code 1 when no carrier can be used.",
      "",
      "Examples:",
      "  ./busbar doctor                       the whole report",
      "  ./busbar doctor 10.0.0.2 udp:[fd00::2]:7009",
      "                                        and what would be used to these peers",
      "  ./busbar doctor --json                one object, for programs"
    })
final class DoctorCommand implements Callable<Integer> {
  private static final String INDENT = " ".repeat(16);

  @Parameters(
      paramLabel = "PEER",
      arity = "0..*",
      description = "An IP address, or an address as this command prints it (shm:..., udp:...).")
  private List<String> peers = new ArrayList<>();

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      defaultValue = "/dev/shm",
      description = "Where segments of shared memory are; default: ${DEFAULT-VALUE}.")
  private String directory = "";

  @Option(names = "--json", description = "One JSON object, and nothing else.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    Survey survey = Survey.take(directory);
    List<PeerChoice> choices = new ArrayList<>();
    for (String peer : peers) {
      try {
        choices.add(survey.choose(peer));
      } catch (IllegalArgumentException e) {
        throw Main.misuse(spec, String.valueOf(e.getMessage()));
      }
    }
    System.out.println(json ? json(survey, choices) : readable(survey, choices));
    return survey.isUsable() ? 0 : Main.FAILED;
  }

  // For people.

  private static String readable(Survey survey, List<PeerChoice> choices) {
    StringJoiner text = new StringJoiner("\n");
    text.add("Carriers");
    for (CarrierTrial trial : survey.carriers()) {
      String usable = trial.usable() ? "yes" : "no";
      text.add("  %-4s%-8s %s".formatted(usable, trial.carrier(), trial.verdict()));
      if (trial.frameBytesMax() > 0) {
        text.add(INDENT + "frames up to %d B".formatted(trial.frameBytesMax()));
      }
      trial.facts().forEach(fact -> text.add(INDENT + fact.name() + ": " + fact.value()));
    }
    text.add("").add("Limits");
    for (LimitFound limit : survey.limits()) {
      String enough = limit.enough() ? "ok" : "low";
      text.add("  %-4s%s: %s".formatted(enough, limit.name(), limit.value()));
      if (!limit.advice().isEmpty()) {
        text.add("      " + limit.advice());
      }
    }
    text.add("").add("Network interfaces");
    survey.devices().forEach(device -> text.add(readable(device)));
    text.add("").add("To a peer");
    text.add(
        "  shm to a process with boot %016x and network namespace %d; to all others packet or udp, as they measure"
            .formatted(survey.host().boot(), survey.host().network()));
    for (PeerChoice choice : choices) {
      String frames =
          choice.frameBytesMax() > 0 ? ", frames up to %d B".formatted(choice.frameBytesMax()) : "";
      text.add("  %s: %s%s (%s)".formatted(choice.peer(), choice.carrier(), frames, choice.why()));
    }
    text.add("").add("To everyone");
    for (CarrierTrial trial : survey.carriers()) {
      if (trial.usable()) {
        text.add("  %-8s%s".formatted(trial.carrier(), everyone(survey, trial.carrier())));
      }
    }
    text.add("  each node gets a broadcast by the carrier that messages to it take");
    return text.toString();
  }

  /** How what is said to all leaves by a carrier. */
  private static String everyone(Survey survey, String carrier) {
    return switch (carrier) {
      case ShmNic.FABRIC -> "one buffer for all nodes of this host";
      case UdpNic.FABRIC -> everyoneByUdp(survey);
      default -> "one Ethernet broadcast for all on the segment";
    };
  }

  private static String everyoneByUdp(Survey survey) {
    String devices =
        survey.devices().stream()
            .filter(device -> device.up() && device.multicast())
            .map(DeviceFound::name)
            .collect(Collectors.joining(", "));
    return devices.isEmpty()
        ? "one by one: no interface that is up has multicast; give seeds"
        : "one multicast to %s for all on the segment of %s; one by one to others, and in a job"
            .formatted(Discovery.GROUP, devices);
  }

  private static String readable(DeviceFound device) {
    return "  %-5s%-12s MTU %d, udp frames up to %d B%s%s  %s"
        .formatted(
            device.up() ? "up" : "down",
            device.name(),
            device.mtu(),
            device.frameBytesMax(),
            device.broadcast() ? ", broadcast" : "",
            device.multicast() ? ", multicast" : "",
            String.join(" ", device.addresses()))
        .stripTrailing()
        .concat("\n" + INDENT + "  " + readable(device.driver()));
  }

  private static String readable(DeviceDriver driver) {
    String program =
        driver.program() == 0
            ? "no XDP program"
            : "XDP program %d %s the driver: xdp cannot be used here, packet can"
                .formatted(driver.program(), driver.programInDriver() ? "in" : "behind");
    return "driver %s, queues: %d to receive, %d to send; %s"
        .formatted(
            driver.name().isEmpty() ? "unknown" : driver.name(),
            driver.receiveQueues(),
            driver.transmitQueues(),
            program);
  }

  // For programs.

  private static String json(Survey survey, List<PeerChoice> choices) {
    return "{\"host\":{\"boot\":\"%016x\",\"network\":%d},\"carriers\":[%s],\"limits\":[%s],\"devices\":[%s],\"peers\":[%s]}"
        .formatted(
            survey.host().boot(),
            survey.host().network(),
            join(survey.carriers().stream().map(trial -> json(survey, trial)).toList()),
            join(survey.limits().stream().map(DoctorCommand::json).toList()),
            join(survey.devices().stream().map(DoctorCommand::json).toList()),
            join(choices.stream().map(DoctorCommand::json).toList()));
  }

  private static String join(List<String> objects) {
    return String.join(",", objects);
  }

  private static String json(Survey survey, CarrierTrial trial) {
    String facts =
        trial.facts().stream()
            .map(fact -> Json.text(fact.name()) + ":" + Json.text(fact.value()))
            .collect(Collectors.joining(","));
    return "{\"carrier\":%s,\"usable\":%b,\"verdict\":%s,\"frame_bytes_max\":%d,\"to_everyone\":%s,\"facts\":{%s}}"
        .formatted(
            Json.text(trial.carrier()),
            trial.usable(),
            Json.text(trial.verdict()),
            trial.frameBytesMax(),
            Json.text(trial.usable() ? everyone(survey, trial.carrier()) : ""),
            facts);
  }

  private static String json(LimitFound limit) {
    return "{\"limit\":%s,\"value\":%s,\"bytes\":%d,\"enough\":%b,\"advice\":%s}"
        .formatted(
            Json.text(limit.name()),
            Json.text(limit.value()),
            limit.bytes(),
            limit.enough(),
            Json.text(limit.advice()));
  }

  private static String json(DeviceFound device) {
    return "{\"device\":%s,\"up\":%b,\"mtu\":%d,\"frame_bytes_max\":%d,\"broadcast\":%b,\"multicast\":%b,\"addresses\":[%s],\"driver\":%s,\"receive_queues\":%d,\"transmit_queues\":%d,\"xdp_program\":%d,\"xdp_in_driver\":%b}"
        .formatted(
            Json.text(device.name()),
            device.up(),
            device.mtu(),
            device.frameBytesMax(),
            device.broadcast(),
            device.multicast(),
            device.addresses().stream().map(Json::text).collect(Collectors.joining(",")),
            Json.text(device.driver().name()),
            device.driver().receiveQueues(),
            device.driver().transmitQueues(),
            device.driver().program(),
            device.driver().programInDriver());
  }

  private static String json(PeerChoice choice) {
    return "{\"peer\":%s,\"carrier\":%s,\"why\":%s,\"frame_bytes_max\":%d}"
        .formatted(
            Json.text(choice.peer()),
            Json.text(choice.carrier()),
            Json.text(choice.why()),
            choice.frameBytesMax());
  }
}
