package io.busbar.fabric.survey;

/**
 * The carrier that would be used to a peer.
 *
 * @param peer as it was asked for
 * @param carrier the choice; {@code none} when there is no way
 * @param why in a sentence
 * @param frameBytesMax the longest frame; 0 without a way
 */
public record PeerChoice(String peer, String carrier, String why, int frameBytesMax) {}
