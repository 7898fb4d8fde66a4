/**
 * What kernels say about when they did what: the rings that blocks write their events to
 * ({@link org.mscclj.device.kernels.trace.TraceRings}), and the kernel that tells the host what a device's clock says
 * ({@link org.mscclj.device.kernels.trace.ClockKernel}).
 */
package org.mscclj.device.kernels.trace;
