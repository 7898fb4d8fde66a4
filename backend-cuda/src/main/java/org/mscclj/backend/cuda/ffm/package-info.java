/**
 * The C functions that this backend calls: functions of the CUDA driver that JCuda lacks, breaks, or makes slow; of
 * NVRTC; of the C library. If a library is missing, only calls of its functions throw.
 */
@org.jspecify.annotations.NullMarked
package org.mscclj.backend.cuda.ffm;
