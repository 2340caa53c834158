/** Empty but for this: programs of MPJ Express import it by wildcard. */
package mpjdev;
