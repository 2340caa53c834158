/**
 * What the tests of several rooms use. No room depends on it but for its tests, and it knows none
 * of them. It stands on the class path, as JUnit does, so that no room's module names it.
 *
 * <p>{@link io.busbar.testkit.Interleavings} runs a few threads in every order of their steps, on a
 * {@link io.busbar.testkit.Stage}; {@link io.busbar.testkit.Surgery} cuts a step out of a class, to
 * see whether a test finds it missing; {@link io.busbar.testkit.ChildJvm} is another process, to be
 * killed or stopped; {@link io.busbar.testkit.AllocationMeter} counts what a thread allocates.
 */
@NullMarked
package io.busbar.testkit;

import org.jspecify.annotations.NullMarked;
