/**
 * Hosts on one machine: network namespaces joined by veth pairs, for tests and benchmarks that need
 * a real network and for nothing else.
 *
 * <p><b>Owns</b> the making and the removal of the namespaces, what runs in them, and what goes
 * wrong on the way between them ({@link io.busbar.lab.bed.TestBed}); and how Debian's packages of
 * peers come onto a machine that lacks them ({@link io.busbar.lab.bed.Packages}).
 *
 * <p><b>Never</b> makes a device, an address or a rule in the machine's own network namespace: the
 * switch has one of its own, so that no frame of a bed meets another bed, or the world. Only {@link
 * io.busbar.lab.bed.ThisHost} starts processes there, for who may not make a bed. Never touches a
 * namespace whose name is not its own kind, or whose owner lives.
 *
 * <p><b>Threads</b>: a host has one platform thread inside its namespace, on which {@link
 * io.busbar.lab.bed.TestHost#call} runs; each process has one that drains its output. All may be
 * called from any platform thread.
 *
 * <p><b>Invariants</b>: every wait has a limit, and says what it waited for; what a bed made goes
 * away when it is closed, when the JVM ends, and after a crash when the next bed is made anywhere.
 *
 * <p><b>Read first</b>: {@link io.busbar.lab.bed.TestBed}, then {@code Wiring} for what it makes of
 * a machine.
 */
@NullMarked
package io.busbar.lab.bed;

import org.jspecify.annotations.NullMarked;
