package io.busbar.bench.path;

import java.util.List;

/** Finds the way of one message through the kernel in what the kernel told. */
final class KernelWay {
  private final long[] atNs;
  private final int sender;
  private final int receiver;

  /**
   * The way of a message.
   *
   * @param atNs where it is noted, by the slots of borders
   * @param sender the thread that sends it
   * @param receiver the thread that receives it
   */
  KernelWay(long[] atNs, int sender, int receiver) {
    this.atNs = atNs;
    this.sender = sender;
    this.receiver = receiver;
  }

  /**
   * Notes every border that is found.
   *
   * @param events in the order of time
   * @param first the first one that may be the message's
   * @param toNs when it had arrived
   */
  void follow(List<KernelEvent> events, int first, long toNs) {
    long frame = 0;
    for (int i = first; i < events.size() && events.get(i).atNs() <= toNs; i++) {
      KernelEvent event = events.get(i);
      if (event.name().startsWith("sys_enter_send") && event.thread() == sender && frame == 0) {
        atNs[Border.ENTERED.slot] = event.atNs();
      } else if (event.name().equals("net_dev_queue") && event.thread() == sender) {
        frame = has(Border.ENTERED) && frame == 0 ? event.frame() : frame;
        noteIf(frame != 0, Border.QUEUED, event);
      } else if (frame != 0) {
        noteBehindDevice(event, frame);
      }
    }
    int ready = Border.READY.slot;
    int fetched = Border.FETCHED.slot;
    if (has(Border.READY) && has(Border.FETCHED)) { // who polls may have it before it is told
      atNs[ready] = Math.min(atNs[ready], atNs[fetched]);
    }
  }

  private void noteBehindDevice(KernelEvent event, long frame) {
    boolean same = event.frame() == frame;
    switch (event.name()) {
      case "netif_rx" -> noteIf(same, Border.CROSSED, event);
      case "netif_receive_skb" -> noteIf(same, Border.TAKEN_UP, event);
      case "sk_data_ready" -> noteIf(has(Border.TAKEN_UP), Border.READY, event);
      case "sched_switch" ->
          noteIf(
              event.other() == receiver && has(Border.READY) && !has(Border.FETCHED),
              Border.AWAKE,
              event);
      case "sock_recv_length" ->
          noteIf(event.thread() == receiver && has(Border.TAKEN_UP), Border.FETCHED, event);
      default -> {
        boolean left = event.name().startsWith("sys_exit_recv") && event.thread() == receiver;
        noteIf(left && has(Border.FETCHED), Border.LEFT, event);
      }
    }
  }

  private boolean has(Border border) {
    return atNs[border.slot] != 0;
  }

  private void noteIf(boolean holds, Border border, KernelEvent event) {
    if (holds && !has(border)) {
      atNs[border.slot] = event.atNs();
    }
  }
}
