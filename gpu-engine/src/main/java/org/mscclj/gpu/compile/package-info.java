/** Kernels compiled at run time , and kept for the next time. */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.compile;
