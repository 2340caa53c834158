package io.busbar.fabric;

/**
 * What an interface reports besides frames; called from inside its methods, by their thread. Who is
 * told may send, open ways and close them, but neither poll nor close the interface.
 */
public interface NicEvents {
  /** Nobody listens. */
  NicEvents NONE = new NicEvents() {};

  /** A peer opened a way to us by itself, and has this number from now on. */
  default void onPeer(int peer) {}

  /** A peer has died, left, or broken the rules; frames to it are refused from now on. */
  default void onPeerGone(int peer, String why) {}

  /**
   * The process that had a peer has ended without a word: the kernel says so, and nobody need be
   * asked. {@link #onPeerGone} follows.
   */
  default void onProcessEnded(int peer) {}

  /**
   * There is no room to make a way to a peer: frames to it are refused as full until there is. Told
   * with each that is refused.
   */
  default void onNoWay(int peer, String why) {}

  /** The longest frame to a peer is another one now. */
  default void onFrameBytesMax(int peer, int bytes) {}

  /** Something works less well than it should, in words: once for each kind. */
  default void onWarning(String what) {}
}
