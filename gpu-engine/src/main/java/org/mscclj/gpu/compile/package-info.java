/** Compiles kernels at run time, and keeps the results. */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.compile;
