package io.busbar.lab.bed;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The script that makes a bed: a namespace per host and one for the switch, a cable from each host
 * to the switch (or some from one host to the other), addresses and routes.
 *
 * <p>Nothing is waited for afterwards: the bridge forwards at once (no spanning tree, no delay) and
 * floods groups instead of learning them; IPv6 addresses are not probed for duplicates; hosts ask
 * for no router and so send nothing by themselves but neighbour discovery.
 *
 * @param name the bed
 * @param cables of each host
 * @param others further cables between the hosts of a pair, each from both ends: IPv4 only, and no
 *     groups
 * @param switched whether there is a switch
 */
record Wiring(BedName name, List<Cable> cables, List<List<Cable>> others, boolean switched) {
  /** What the devices of further cables between two hosts are called. */
  private static final List<String> OTHERS = List.of("second", "third", "fourth");

  /** The switch takes no part in IPv6, and shows no frame to the firewall of IP. */
  private static final String SWITCH_SETTINGS =
      "echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6;"
          + " for call in /proc/sys/net/bridge/bridge-nf-call-*; do"
          + " if [ -e $call ]; then echo 0 >$call; fi; done";

  static Wiring star(BedName name, int hosts) {
    List<Cable> cables =
        IntStream.range(0, hosts)
            .mapToObj(
                host ->
                    new Cable(
                        new Cable.End(name.host(host), "bed" + host),
                        new Cable.End(name.switchNamespace(), "port" + host)))
            .toList();
    return new Wiring(name, cables, List.of(), true);
  }

  static Wiring pair(BedName name) {
    return new Wiring(
        name,
        bothWays(name, "bed"),
        OTHERS.stream().map(device -> bothWays(name, device)).toList(),
        false);
  }

  private static List<Cable> bothWays(BedName name, String device) {
    Cable.End one = new Cable.End(name.host(0), device + 0);
    Cable.End other = new Cable.End(name.host(1), device + 1);
    return List.of(new Cable(one, other), new Cable(other, one));
  }

  /** The other cables of a host. */
  List<Cable> others(int host) {
    return others.stream().map(bothWays -> bothWays.get(host)).toList();
  }

  /** All that it makes; removing them removes everything. */
  List<String> namespaces() {
    return Stream.concat(
            cables.stream().map(cable -> cable.near().namespace()),
            switched ? Stream.of(name.switchNamespace()) : Stream.empty())
        .toList();
  }

  String script() {
    StringBuilder script = new StringBuilder();
    namespaces()
        .forEach(namespace -> script.append("ip netns add ").append(namespace).append('\n'));
    script.append(switched ? plugIntoSwitch() : plugTogether(cables.getFirst()));
    others.forEach(bothWays -> script.append(plugTogether(bothWays.getFirst())));
    for (int i = 0; i < cables.size(); i++) {
      script.append(configure(i));
    }
    for (int cable = 0; cable < others.size(); cable++) {
      script.append(configureOther(cable, 0)).append(configureOther(cable, 1));
    }
    if (switched) {
      // After the hosts' ends: a port that has its carrier when it is switched on forwards at once.
      script.append(
          commands(
              "ip -n " + name.switchNamespace() + " -batch -",
              cables.stream()
                  .map(cable -> "link set dev %s up".formatted(cable.far().device()))
                  .collect(Collectors.joining("\n"))));
    }
    cables.forEach(cable -> script.append(cable.awaitUp()));
    others.forEach(bothWays -> script.append(bothWays.getFirst().awaitUp()));
    return script.toString();
  }

  private String plugIntoSwitch() {
    String cabling =
        cables.stream()
            .map(
                cable ->
                    """
                    link add %1$s type veth peer name %2$s netns %3$s
                    link set dev %1$s master bridge
                    """
                        .formatted(
                            cable.far().device(), cable.near().device(), cable.near().namespace()))
            .collect(Collectors.joining());
    return inside(
        name.switchNamespace(),
        SWITCH_SETTINGS,
        "link add bridge type bridge forward_delay 0 stp_state 0 mcast_snooping 0\n"
            + cabling
            + "link set dev bridge up");
  }

  private static String plugTogether(Cable cable) {
    return "ip -n %s link add %s type veth peer name %s netns %s\n"
        .formatted(
            cable.near().namespace(),
            cable.near().device(),
            cable.far().device(),
            cable.far().namespace());
  }

  private String configure(int host) {
    Cable.End end = cables.get(host).near();
    BedNet net = new BedNet(name);
    return inside(
        end.namespace(),
        "cd /proc/sys/net/ipv6/conf/"
            + end.device()
            + "; echo 0 >accept_dad; echo 0 >accept_ra; echo 0 >router_solicitations"
            + "; echo 1 >keep_addr_on_down",
        """
        link set dev lo up
        address add %2$s/24 broadcast + dev %1$s
        address add %3$s/64 dev %1$s nodad
        link set dev %1$s up
        route add 224.0.0.0/4 dev %1$s
        route add 255.255.255.255/32 dev %1$s"""
            .formatted(
                end.device(),
                net.address4(host).getHostAddress(),
                net.address6(host).getHostAddress()));
  }

  private String configureOther(int cable, int host) {
    Cable.End end = others.get(cable).get(host).near();
    return inside(
        end.namespace(),
        "echo 1 >/proc/sys/net/ipv6/conf/%s/disable_ipv6".formatted(end.device()),
        """
        address add %2$s/24 dev %1$s
        link set dev %1$s up"""
            .formatted(end.device(), new BedNet(name).other4(cable, host).getHostAddress()));
  }

  /** Settings by a shell in the namespace, then commands for {@code ip}. */
  private static String inside(String namespace, String settings, String commands) {
    return commands(
        "ip netns exec %s sh -ec '%s; exec ip -batch -'".formatted(namespace, settings), commands);
  }

  private static String commands(String command, String input) {
    return "%s <<'COMMANDS'\n%s\nCOMMANDS\n".formatted(command, input);
  }
}
