/**
 * The bus in virtual time: {@link io.busbar.lab.bus.BusCluster} is a segment with nodes that look
 * for each other, and can be killed, restarted, paused and cut off; a {@link
 * io.busbar.lab.bus.CastEnd} on each says and hears broadcasts, of which a {@link
 * io.busbar.lab.bus.CastStory} checks that each came once, in order, and to all who stayed. A
 * {@link io.busbar.lab.bus.BusScenario} is what {@code ./busbar lab bus} runs for a seed.
 */
@NullMarked
package io.busbar.lab.bus;

import org.jspecify.annotations.NullMarked;
