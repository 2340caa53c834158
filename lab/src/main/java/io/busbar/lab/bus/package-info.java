/**
 * The bus in virtual time: {@link io.busbar.lab.bus.BusCluster} is a segment with nodes that look
 * for each other, and can be killed, restarted, paused and cut off.
 */
@NullMarked
package io.busbar.lab.bus;

import org.jspecify.annotations.NullMarked;
