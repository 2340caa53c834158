package io.busbar.lab;

import io.busbar.lab.Conversation.Welcome;
import io.busbar.transport.Count;
import io.busbar.transport.Criteria;
import io.busbar.transport.Ending;
import io.busbar.transport.Offer;
import io.busbar.transport.Release;
import io.busbar.transport.Service;
import io.busbar.transport.Transport;
import io.busbar.transport.Upcalls;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What runs above one life of one node: it listens, opens what is planned, and checks. */
public final class Program implements Upcalls {
  private static final int PROTO = 9;
  private static final int PORT = 42;
  private static final int PORT_UNUSED = 43;
  private static final int REFUSAL = 77;

  private final Scenario scenario;
  private final SimNode node;
  private final long life;
  private final Map<Long, Talker> talkers = new HashMap<>();
  private @Nullable Talker opening;
  private @Nullable Transport transport;
  private long heldBytes;
  private int restartsUntold;

  Program(Scenario scenario, SimNode node) {
    this.scenario = scenario;
    this.node = node;
    life = node.life();
  }

  SimNode node() {
    return node;
  }

  boolean isOf(SimNode other) {
    return node.id() == other.id() && life == other.life();
  }

  Transport transport() {
    return transport == null ? node.transport() : transport;
  }

  /** What the transport of this life counted. */
  long counted(Count count) {
    return transport().counters().get(count);
  }

  long nowNs() {
    return node.nowNs();
  }

  /** Bytes that the program holds and has not given back. */
  long heldBytes() {
    return heldBytes;
  }

  /** Ends by a restart that was not told otherwise. */
  int restartsUntold() {
    return restartsUntold;
  }

  /** Conversations of this life that have not ended. */
  int talking() {
    return talkers.size();
  }

  boolean isAlive() {
    return node.isUp() && node.life() == life;
  }

  void listen() {
    transport = node.transport();
    transport().listen(Criteria.port(PROTO, PORT));
  }

  void open(Ledger.Entry entry) {
    Conversation plan = entry.plan;
    Talker talker = new Talker(this, entry, true);
    Service service = plan.datagrams() ? Service.DATAGRAM : Service.STREAM;
    scenario.ledger().onOpen(entry, life);
    opening = talker;
    talker.association =
        transport()
            .open(
                nowNs(),
                plan.target(),
                PROTO,
                service,
                7,
                plan.welcome() == Welcome.NO_LISTENER ? PORT_UNUSED : PORT,
                plan.statusEvery(),
                plan.id());
    opening = null;
    talkers.put(talker.association, talker);
    talker.write();
    node.wake();
  }

  /** Runs something on this node, later, if it still lives this life; a paused one waits. */
  void later(long delayNs, Runnable action) {
    Schedule schedule = scenario.cluster().schedule();
    schedule.at(
        schedule.nowNs() + delayNs,
        () -> {
          if (!isAlive()) {
            return;
          }
          if (node.isRunning()) {
            action.run();
            node.wake();
          } else {
            later(100_000, action);
          }
        });
  }

  /** Bytes count against their association's window until they are given back, or it ends. */
  void onHeld(long bytes) {
    heldBytes += bytes;
  }

  void onGiven(long bytes) {
    heldBytes -= bytes;
  }

  void releaseClaim(long claim) {
    node.releaseClaim(claim);
  }

  void ledgerEnd(Ledger.Entry entry, boolean opener, Ending why) {
    scenario.ledger().onEnded(entry, opener, why, scenario.isTroubled(entry.plan));
  }

  @Override
  public int onOffer(int context, Offer offer) {
    return scenario.ledger().isWelcome(offer.tag()) ? ACCEPT : REFUSAL;
  }

  @Override
  public void onAccepted(long association, int context, Offer offer) {
    Ledger.Entry entry =
        scenario
            .ledger()
            .onAccepted(offer.tag(), node.id(), life, offer.peer(), offer.incarnation());
    Talker talker = new Talker(this, entry, false);
    talker.association = association;
    talkers.put(association, talker);
    later(0, talker::write);
  }

  @Override
  public void onOpened(long association) {
    talker(association).onOpened();
  }

  @Override
  public void onBytes(
      long association, MemorySegment segment, long at, int length, boolean endOfMessage) {
    talker(association).onBytes(segment, at, length, endOfMessage);
  }

  @Override
  public void onReleased(long association, long token, Release how) {
    talker(association).onReleased(token, how);
  }

  @Override
  public void onSendable(long association) {
    talker(association).write();
  }

  @Override
  public void onReadEnd(long association) {
    talker(association).onReadEnd();
  }

  @Override
  public void onWriteEnd(long association, long undeliveredBytes) {
    talker(association).onWriteEnd(undeliveredBytes);
  }

  @Override
  public void onEnded(long association, Ending why, long undeliveredBytes, int detail) {
    Talker talker = talker(association);
    talkers.remove(association);
    Violation.check(
        (detail == REFUSAL) == (why == Ending.REFUSED),
        "a refusal's words",
        "%s with detail %d",
        why,
        detail);
    restartsUntold += why == Ending.PEER_RESTARTED ? 1 : 0;
    talker.onEnded(why, undeliveredBytes);
  }

  @Override
  public void onPeerRestarted(int peer, long incarnation) {
    Violation.check(
        scenario.plan().crashes(peer),
        "nothing across incarnations",
        "node %d was said to have restarted, and has not",
        peer);
    Violation.check(
        scenario.cluster().node(peer).life() == incarnation,
        "nothing across incarnations",
        "node %d does not live life %x",
        peer,
        incarnation);
    restartsUntold = 0;
  }

  private Talker talker(long association) {
    Talker talker = talkers.get(association);
    if (talker == null) {
      talker = opening;
    }
    if (talker == null) {
      throw new Violation(
          "handles", "an upcall for association %x, which is not open".formatted(association));
    }
    return talker;
  }
}
