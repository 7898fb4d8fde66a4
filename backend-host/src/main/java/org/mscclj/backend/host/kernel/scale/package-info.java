/** Kernels that multiply or divide the elements of a buffer in place, with the Vector API and as scalar twins. */
package org.mscclj.backend.host.kernel.scale;
