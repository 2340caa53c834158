package io.busbar.bus;

import io.busbar.wire.MemberCard;

/**
 * What is known of a node.
 *
 * @param id its number in the cluster
 * @param incarnation its life: one for each start
 * @param edition counts up within a life, whenever the node has to say that it lives
 * @param state how it is
 * @param card what it says of itself
 */
public record Member(int id, long incarnation, int edition, MemberState state, MemberCard card) {}
