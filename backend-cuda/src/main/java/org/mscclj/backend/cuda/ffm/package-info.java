/**
 * The C functions that this backend calls: of the CUDA driver what JCuda lacks, breaks, or makes slow; of NVRTC; of the
 * C library. Nothing here throws because a library is missing until a function of it is called.
 */
@org.jspecify.annotations.NullMarked
package org.mscclj.backend.cuda.ffm;
