/** HIP in this process: its start, or the reason why it cannot be used, and the compiler of kernels. */
@org.jspecify.annotations.NullMarked
package org.mscclj.backend.rocm.driver;
