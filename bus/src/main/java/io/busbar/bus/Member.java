package io.busbar.bus;

import io.busbar.wire.MemberCard;
import java.util.List;

/**
 * What is known of a node.
 *
 * @param id its number in the cluster
 * @param incarnation its life: one for each start
 * @param edition counts up within a life, whenever the node has to say that it lives
 * @param state how it is
 * @param card what it says of itself
 */
public record Member(int id, long incarnation, int edition, MemberState state, MemberCard card) {
  /**
   * The kinds of carriers by which it says that it is reached, each once, in the order of its
   * addresses: {@code shm}, {@code udp}, and {@code ether} for {@code packet} and {@code xdp},
   * which reach each other.
   */
  public List<String> fabrics() {
    return card.addresses().stream()
        .filter(address -> address.indexOf(':') > 0)
        .map(address -> address.substring(0, address.indexOf(':')))
        .distinct()
        .toList();
  }
}
