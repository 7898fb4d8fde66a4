/** What code for AMD GPUs says about its kernels. */
@org.jspecify.annotations.NullMarked
package org.mscclj.backend.rocm.code;
