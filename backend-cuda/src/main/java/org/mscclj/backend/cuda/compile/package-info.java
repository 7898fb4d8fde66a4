/** Kernels compiled at run time by NVRTC, and kept for the next time. */
@org.jspecify.annotations.NullMarked
package org.mscclj.backend.cuda.compile;
