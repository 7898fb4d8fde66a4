/** Multiprocessor capacity of a GPU for all kernels of this process that may wait there. */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.occupancy;
