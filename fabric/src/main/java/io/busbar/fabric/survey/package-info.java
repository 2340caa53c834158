/**
 * What this process can use, found out by using it.
 *
 * <p><b>Owns</b> the trial of every carrier, the limits that bear on them, and the choice of a
 * carrier for a peer. {@code busbar doctor} prints it.
 *
 * <p><b>Never</b> says what it has not tried: a carrier is usable when a frame went through it;
 * {@code xdp} alone is judged by the rights of the process, because to try it would be to attach a
 * program to somebody's interface. It leaves nothing behind, and sends nothing beyond this host.
 *
 * <p><b>Threads</b>: a survey belongs to the thread that takes it, and blocks it for some
 * milliseconds.
 *
 * <p><b>Read first</b>: {@link Survey}, then a trial.
 */
@NullMarked
package io.busbar.fabric.survey;

import org.jspecify.annotations.NullMarked;
