/** Kernels that convert elements into the addends of averages and premultiplied sums, and sums into elements. */
package org.mscclj.backend.host.kernel.addend;
