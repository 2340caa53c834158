/** What programs name of what lies below MPJ Express's device: they import it by wildcard. */
package xdev;
