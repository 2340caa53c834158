package io.busbar.node.stat;

/**
 * The node that a file of counters belongs to.
 *
 * @param node its number
 * @param name its name, as people know it; cut after 64 bytes of UTF-8
 * @param incarnation its life
 * @param cluster the hash of its cluster's name
 */
public record StatOwner(int node, String name, long incarnation, long cluster) {}
