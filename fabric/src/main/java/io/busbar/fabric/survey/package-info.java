/**
 * What this process can use, found out by using it.
 *
 * <p><b>Owns</b> the trial of every carrier, the limits that bear on them, and the choice of a
 * carrier for a peer. {@code busbar doctor} prints it.
 *
 * <p><b>Never</b> says what it has not tried: a carrier is usable when a frame went through it.
 */
@NullMarked
package io.busbar.fabric.survey;

import org.jspecify.annotations.NullMarked;
