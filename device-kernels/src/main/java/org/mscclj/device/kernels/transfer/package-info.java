/** Kernels of point-to-point transfers, and the structures of windows, on the state of a plan's context. */
@NullMarked
package org.mscclj.device.kernels.transfer;

import org.jspecify.annotations.NullMarked;
