/**
 * What programs name of MPJ Express's device, which is not here. They import the package by
 * wildcard beside {@code mpi}, so it has no class of a name that is there, too.
 */
package mpjdev;
