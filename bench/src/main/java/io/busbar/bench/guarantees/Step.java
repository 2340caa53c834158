package io.busbar.bench.guarantees;

/**
 * One step of a ladder.
 *
 * @param system its name in the figures
 * @param contender who takes it
 * @param adds what it guarantees that the step below does not
 */
record Step(String system, String contender, String adds) {}
