// What GPUs of a vendor supply: operations on memory by order and scope, packets, the clock, and numbers. A compiler
// that defines MSCCLJ_ARCH_FILE names a file of its own, which defines what arch/cuda.cuh defines.
#pragma once
#include "mscclj/types.cuh"
#ifdef MSCCLJ_ARCH_FILE
#include MSCCLJ_ARCH_FILE
#else
#include "mscclj/arch/cuda.cuh"
#endif
