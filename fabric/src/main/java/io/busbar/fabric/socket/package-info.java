/**
 * What the carriers over sockets share; seen by them alone.
 *
 * <p><b>Owns</b> what may be called when ({@code Manners}), the frame that is written in place
 * ({@code Reservation}), which chunks of receive memory are kept ({@code ChunkClaims}), how
 * warnings wait until an interface is at rest ({@code Notices}), and how often it looks at what
 * changes rarely ({@code Cadence}).
 *
 * <p><b>Never</b> sends or receives.
 */
@NullMarked
package io.busbar.fabric.socket;

import org.jspecify.annotations.NullMarked;
