package io.busbar.lab.bed;

/**
 * The veth pair between a host and the switch, or the other host of a pair. Every method yields a
 * script; names have no character that a shell would look at.
 *
 * @param near the host's end
 * @param far the other end
 */
record Cable(End near, End far) {
  /**
   * An interface.
   *
   * @param namespace where it is
   * @param device its name there
   */
  record End(String namespace, String device) {}

  /** Of a rate, the time in which a queue drains: past it, frames are dropped. */
  private static final long QUEUE_MS = 50;

  /** Of a rate, the time that may be saved up; less costs the kernel a timer for every frame. */
  private static final long BURST_MS = 4;

  private static final int LOSS_SCALE = 1_000_000;

  String mtu(int bytes) {
    return mtu(near, bytes) + mtu(far, bytes);
  }

  private static String mtu(End end, int bytes) {
    return "ip -n %s link set dev %s mtu %d\n".formatted(end.namespace, end.device, bytes);
  }

  /** A token bucket at both ends. */
  String rate(long bitsPerSecond, int mtu) {
    long burst = Math.max(2L * (mtu + 14), bitsPerSecond / 8 * BURST_MS / 1000);
    long limit = Math.max(burst, bitsPerSecond / 8 * QUEUE_MS / 1000);
    String bucket = "tbf rate %dbit burst %d limit %d".formatted(bitsPerSecond, burst, limit);
    return queue(near, bucket) + queue(far, bucket);
  }

  String noRate() {
    return queue(near, "noqueue") + queue(far, "noqueue");
  }

  private static String queue(End end, String discipline) {
    return "tc -n %s qdisc replace dev %s root %s\n"
        .formatted(end.namespace, end.device, discipline);
  }

  /**
   * Drops at random at the far end, whatever the frame's EtherType and whatever socket sent it: a
   * frame of the host as it arrives there, one for the host as it leaves.
   */
  String loss(double sent, double received) {
    return """
        ip netns exec %1$s nft -f - <<'RULES'
        add table netdev %2$s
        delete table netdev %2$s
        table netdev %2$s {
          chain sent {
            type filter hook ingress device "%2$s" priority 0
            %3$s
          }
          chain received {
            type filter hook egress device "%2$s" priority 0
            %4$s
          }
        }
        RULES
        """
        .formatted(far.namespace, far.device, drop(sent), drop(received));
  }

  private static String drop(double probability) {
    long share = Math.round(probability * LOSS_SCALE);
    if (share == LOSS_SCALE) {
      return "drop";
    }
    return share == 0 ? "accept" : "numgen random mod %d < %d drop".formatted(LOSS_SCALE, share);
  }

  /** The switch drops what the host sends to groups. */
  String noGroups() {
    return """
        ip netns exec %1$s nft -f - <<'RULES'
        add table netdev %2$s_groups
        delete table netdev %2$s_groups
        table netdev %2$s_groups {
          chain sent {
            type filter hook ingress device "%2$s" priority 1
            ip daddr 224.0.0.0/4 drop
            meta l4proto udp ip6 daddr ff00::/8 drop
          }
        }
        RULES
        """
        .formatted(far.namespace, far.device);
  }

  /** Nothing is dropped. */
  String noLoss() {
    return """
        ip netns exec %1$s nft -f - <<'RULES'
        add table netdev %2$s
        delete table netdev %2$s
        add table netdev %2$s_groups
        delete table netdev %2$s_groups
        RULES
        """
        .formatted(far.namespace, far.device);
  }

  String down() {
    return "ip -n %s link set dev %s down\n".formatted(near.namespace, near.device);
  }

  /** The switch's end, out of the switch: both ends are up, and nothing gets through. */
  String unplug() {
    return "ip -n %s link set dev %s nomaster\n".formatted(far.namespace, far.device);
  }

  String plug() {
    return "ip -n %s link set dev %s master bridge\n".formatted(far.namespace, far.device);
  }

  /** The switch believes nothing of what comes out of this cable about where somebody is. */
  String distrust() {
    return "ip -n %s link set dev %s type bridge_slave learning off\n"
        .formatted(far.namespace, far.device);
  }

  /** Up, with the routes that went away with it. */
  String up() {
    return """
        ip -n %1$s -batch - <<'COMMANDS'
        link set dev %2$s up
        route replace 224.0.0.0/4 dev %2$s
        route replace 255.255.255.255/32 dev %2$s
        COMMANDS
        """
            .formatted(near.namespace, near.device)
        + awaitUp();
  }

  /**
   * Waits until both ends carry frames. The kernel finishes that after the command that asked for
   * it; its answer to this question waits for the same lock, so that "state UP" means all of it. An
   * end that was switched off is not waited for.
   */
  String awaitUp() {
    return """
        tries=0
        while :; do
          far=$(ip -n %1$s -o link show dev %2$s)
          near=$(ip -n %3$s -o link show dev %4$s)
          case $far in *[,\\<]UP[,\\>]*) ;; *) break ;; esac
          case $far/$near in *'state UP'*/*'state UP'*) break ;; esac
          tries=$((tries + 1))
          if [ $tries -gt 1000 ]; then
            echo "%4$s does not come up: $near; its other end: $far"
            exit 1
          fi
        done
        """
        .formatted(far.namespace, far.device, near.namespace, near.device);
  }
}
