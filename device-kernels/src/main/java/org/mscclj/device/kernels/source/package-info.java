/**
 * The device library: sources in CUDA C++ that kernels include. They are resources of this package's module, below
 * {@code mscclj/}, and include each other by that path.
 */
package org.mscclj.device.kernels.source;
