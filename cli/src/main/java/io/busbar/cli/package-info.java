/**
 * The command {@code busbar}: one class per command, each a thin shell over a room.
 *
 * <p><b>Owns</b> options, help, progress, exit codes, and how results are printed for people and,
 * with {@code --json}, for programs. <b>Never</b> decides anything a room could decide.
 *
 * <p><b>Threads</b>: the main one; what a room starts is the room's. {@code run} has a thread for
 * each output of its processes, and one that watches if it is asked to; {@code run} and {@code
 * nodes} clean up on one when a signal ends them.
 *
 * <p><b>Read first</b>: {@link io.busbar.cli.Main}.
 */
@NullMarked
package io.busbar.cli;

import org.jspecify.annotations.NullMarked;
