/**
 * The device library: sources in CUDA C++ that kernels include. They are resources below {@code mscclj/}, and include
 * each other by that path.
 */
package org.mscclj.device.kernels.source;
