/**
 * The functions of the C library that several modules call, with their structures, constants and errors, and access to
 * memory by address. A function is bound when its class is first used. Linux only where a class says so.
 */
package org.mscclj.posix;
