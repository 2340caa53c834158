/**
 * Who is there and who has gone. {@link io.busbar.bus.Membership} is one node's part in it: it is
 * given the time and frames, and gives frames, events and the next deadline. {@code Roster} holds
 * what is known and decides which of two records is newer; {@code Announcer} claims an id and says
 * hello; {@code Detector} probes, suspects and buries; {@code Exchange} mends what was missed.
 *
 * <p>{@code docs/design/011-membership.md} says why it is so, {@code docs/wire/bus.md} draws the
 * frames.
 */
@NullMarked
package io.busbar.bus;

import org.jspecify.annotations.NullMarked;
