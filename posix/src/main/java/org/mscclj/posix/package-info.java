/**
 * The functions of the C library that several modules call, with their structures, constants and errors, and memory by
 * its address. Nothing is bound before a function of its class is called. Linux only where a class says so.
 */
package org.mscclj.posix;
