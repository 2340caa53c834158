package io.busbar.fabric.ether;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.wire.Header;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Peers by number, and by the node id that their frames carry. */
final class EtherPeers {
  private final @Nullable EtherPeer[] numbers;
  private final @Nullable EtherPeer[] nodes = new EtherPeer[Header.EVERYONE];
  private final EtherPeer everyone;
  private int count;
  private int numberNext;

  EtherPeers(int peersMax, EtherPeer everyone) {
    this.numbers = new EtherPeer[peersMax];
    this.everyone = everyone;
  }

  /** A destination, or null when the number was not given or its peer was closed. */
  @Nullable EtherPeer get(int number) {
    if (number >= 0 && number < numbers.length) {
      return numbers[number];
    }
    return number == Nic.EVERYONE ? everyone : null;
  }

  /** The peer that has a node id, or null. */
  @Nullable EtherPeer find(int node) {
    return node < nodes.length ? nodes[node] : null;
  }

  /** Gives a new peer its number: the next one that is free. */
  EtherPeer add(EtherAddress address, long own) {
    if (count == numbers.length) {
      throw new FabricException(
          "cannot open %s: %d peers are open, which is peersMax; close one, or allow more"
              .formatted(address, count));
    }
    while (numbers[numberNext] != null) {
      numberNext = numberNext + 1 < numbers.length ? numberNext + 1 : 0;
    }
    EtherPeer peer = new EtherPeer(numberNext, address, own);
    numbers[numberNext] = peer;
    nodes[address.node()] = peer;
    count++;
    return peer;
  }

  /** Does something with everyone, and with each peer. */
  void forEach(Consumer<EtherPeer> action) {
    action.accept(everyone);
    for (EtherPeer peer : numbers) {
      if (peer != null) {
        action.accept(peer);
      }
    }
  }

  void remove(EtherPeer peer) {
    numbers[peer.number] = null;
    nodes[peer.address.node()] = null;
    numberNext = peer.number;
    count--;
  }
}
