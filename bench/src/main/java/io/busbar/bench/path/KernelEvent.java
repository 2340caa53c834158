package io.busbar.bench.path;

/**
 * Something that the kernel tells of.
 *
 * @param atNs when, by CLOCK_MONOTONIC
 * @param name what
 * @param thread in whose time
 * @param frame the frame's address, or 0
 * @param other the thread that goes on, or 0
 */
record KernelEvent(long atNs, String name, int thread, long frame, int other) {}
