/** Room on the multiprocessors of a GPU for everything of this process that may wait there. */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.occupancy;
