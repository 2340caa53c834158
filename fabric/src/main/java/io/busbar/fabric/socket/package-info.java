/**
 * What the carriers over sockets share; seen by them alone.
 *
 * <p><b>Owns</b> how warnings wait until an interface is at rest, and how often it looks at what
 * changes rarely.
 */
@NullMarked
package io.busbar.fabric.socket;

import org.jspecify.annotations.NullMarked;
