/**
 * Parts of drivers that vendors have in common: compilers with the C interface that NVRTC introduced, variables that
 * set the number of hardware queues, and the linking of functions before their first call.
 */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.library;
