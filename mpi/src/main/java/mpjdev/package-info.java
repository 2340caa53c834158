/** One number of MPJ Express's device: programs import the package by wildcard. */
package mpjdev;
