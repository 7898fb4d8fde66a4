/** Collectives that ship as native algorithms. They use the public interface and the device library alone. */
@NullMarked
package org.mscclj.device.kernels.natives;

import org.jspecify.annotations.NullMarked;
