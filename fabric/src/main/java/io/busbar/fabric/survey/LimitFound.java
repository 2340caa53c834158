package io.busbar.fabric.survey;

/**
 * A limit of the machine or the process.
 *
 * @param name what is limited
 * @param value what it is, in words
 * @param bytes the same as a number; -1 when there is none
 * @param enough whether it is enough for the defaults
 * @param advice what to do when it is not; else empty
 */
public record LimitFound(String name, String value, long bytes, boolean enough, String advice) {}
