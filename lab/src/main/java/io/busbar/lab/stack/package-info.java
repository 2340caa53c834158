/**
 * The whole stack in virtual time: messages over places over engines over the simulated network.
 *
 * <p><b>Owns</b> the place in virtual time ({@code SimPlace}), processes whose programs wait in it
 * ({@code SimProcess}), the plots that programs play, and the books against which every message is
 * checked ({@code Book}).
 *
 * <p><b>Never</b> reads a clock or draws a number that does not come from the seed.
 *
 * <p><b>Threads</b>: a program has a thread of its own, so that it can wait as real ones do; one
 * thread of a run works at a time, the one that has the {@code Baton}. Runs share nothing.
 *
 * <p><b>Invariants</b>: time passes only while every program waits; everything that happens is on
 * the schedule, so the same seed gives the same run.
 *
 * <p><b>Read first</b>: {@link io.busbar.lab.stack.StackScenario}, {@code SimProcess}, {@code
 * Referee}.
 */
@NullMarked
package io.busbar.lab.stack;

import org.jspecify.annotations.NullMarked;
