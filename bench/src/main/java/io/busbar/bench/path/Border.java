package io.busbar.bench.path;

/**
 * Where one stage of a message's way ends and the next one begins, in the order in which a message
 * crosses them. A stage has the name of the border at its end.
 */
enum Border {
  /** The program calls send. */
  CALLED(0, ""),
  /** A frame is given to the interface. */
  GIVEN(1, "messages, node and transport"),
  /** The interface is told to send. */
  RUNG(2, "node"),
  /** The kernel is entered. */
  ENTERED(3, "interface, system call"),
  /** The frame goes to the device. */
  QUEUED(4, "socket, UDP, IP"),
  /** The device at the other end has it. */
  CROSSED(5, "devices and cable"),
  /** The other end's kernel takes it up. */
  TAKEN_UP(6, "soft interrupt"),
  /** It is in the queue of the receiver's socket. */
  READY(7, "IP, UDP, socket"),
  /** A receiver that slept runs. */
  AWAKE(8, "wake-up"),
  /** The receiver's call has taken it out of the queue. */
  FETCHED(9, "receiver looks, copy"),
  /** The kernel is left. */
  LEFT(10, "system call returns"),
  /** The interface hands the frame up. */
  CAME(11, "interface"),
  /** The handler is entered. */
  HANDLED(12, "transport, node and messages"),
  /** The program answers, or goes on with the answer that it has. */
  DONE(13, "program");

  /** Where a row of times has it. */
  final int slot;

  private final String stage;

  Border(int slot, String stage) {
    this.slot = slot;
    this.stage = stage;
  }

  /** What a message does before it is here. */
  String stage() {
    return stage;
  }
}
