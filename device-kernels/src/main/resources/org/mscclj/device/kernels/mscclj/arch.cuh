// Selects the file with a vendor's operations: loads and stores by order and scope, packets, the clock, and arithmetic.
// A compiler that defines MSCCLJ_ARCH_FILE names its own file, which must define everything that arch/cuda.cuh defines.
#pragma once
#include "mscclj/types.cuh"
#ifdef MSCCLJ_ARCH_FILE
#include MSCCLJ_ARCH_FILE
#elif defined(__AMDGCN__)
#include "mscclj/arch/hip.cuh"
#else
#include "mscclj/arch/cuda.cuh"
#endif
