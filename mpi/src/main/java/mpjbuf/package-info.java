/** Buffers of MPJ Express, as far as programs name them. */
package mpjbuf;
