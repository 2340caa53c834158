package io.busbar.lab.stack;

/**
 * A message that was sent.
 *
 * @param id its number in the run, which its bytes tell
 * @param deed what is to be done with it
 * @param length bytes
 * @param hops how often it may be sent on
 */
record Sent(long id, Deed deed, int length, int hops) {}
