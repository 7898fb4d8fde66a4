/**
 * Tracing of kernels: the rings into which blocks write their events
 * ({@link org.mscclj.device.kernels.trace.TraceRings}), and the kernel that reports the device's clock to the host
 * ({@link org.mscclj.device.kernels.trace.ClockKernel}).
 */
package org.mscclj.device.kernels.trace;
