/**
 * File descriptors by which processes of one user open memory of each other's GPUs, and multicast objects: a process
 * serves its own, and requests those of others.
 */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.descriptor;
