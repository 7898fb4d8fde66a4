// What CUDA C++ gives to device code without a header, for compilers of AMD's GPUs: keywords, indices, barriers and a
// few functions. Clang needs no header of HIP then. Where HIP's headers came before, as in hipRTC, theirs are used,
// except for barriers and arithmetic, which replace those of HIP.
#pragma once
#include "mscclj/types.cuh"

#ifndef __device__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#endif
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#ifndef __noinline__
#define __noinline__ __attribute__((noinline))
#endif
#ifndef __launch_bounds__
#define __launch_bounds__(threads, ...) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#endif

// A product is rounded before it is added, as on other devices.
#pragma clang fp contract(off)

namespace mscclj {

// Threads that execute an instruction together, in hardware.
#if defined(__AMDGCN_WAVEFRONT_SIZE__) ? __AMDGCN_WAVEFRONT_SIZE__ == 64 : defined(__GFX9__)
constexpr uint32 kWavefront = 64;
#else
constexpr uint32 kWavefront = 32;
#define MSCCLJ_WAVEFRONT_32
#endif

struct Index {
    uint32 x, y, z;
};

__device__ __forceinline__ Index threadIndex() {
    return Index{__builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(), __builtin_amdgcn_workitem_id_z()};
}

__device__ __forceinline__ Index blockIndex() {
    return Index{__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
                 __builtin_amdgcn_workgroup_id_z()};
}

__device__ __forceinline__ Index blockSize() {
    return Index{__builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(),
                 __builtin_amdgcn_workgroup_size_z()};
}

// The hardware counts threads, not blocks.
__device__ __forceinline__ Index gridSize() {
    const Index block = blockSize();
    return Index{__builtin_amdgcn_grid_size_x() / block.x, __builtin_amdgcn_grid_size_y() / block.y,
                 __builtin_amdgcn_grid_size_z() / block.z};
}

// A bit for each thread of the wavefront that executes this call and for which the condition holds.
__device__ __forceinline__ uint64 ballot(bool condition) {
#if !__has_builtin(__builtin_amdgcn_ballot_w64)
    return __builtin_amdgcn_uicmp(condition, 0, 33); // by the comparison "not equal" of LLVM
#elif defined(MSCCLJ_WAVEFRONT_32)
    return __builtin_amdgcn_ballot_w32(condition);
#else
    return __builtin_amdgcn_ballot_w64(condition);
#endif
}

// The place of the thread in its wavefront.
__device__ __forceinline__ uint32 laneIndex() {
    return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}

// What s_waitcnt waits for, in GFX9: accesses of memory, without those of memory that a block shares; both.
enum Awaited { kAwaitMemory = 0x0f70, kAwaitMemoryAndShared = 0x0070 };

// Synchronises the threads of a block. The accesses of a wavefront have ended before others go on, so that one thread
// may release what all have written: a release waits for the accesses of its own wavefront only.
__device__ __forceinline__ void syncBlock() {
#ifdef __GFX9__
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_waitcnt(kAwaitMemoryAndShared);
#else
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
#endif
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// Synchronises the threads of a block, and returns whether the condition holds for any of them. For a wavefront whose
// threads have all returned, what they said last counts.
__device__ __forceinline__ bool syncBlockOr(bool condition) {
    static __shared__ uint32 said[1024 / kWavefront];
    const Index size = blockSize();
    const Index thread = threadIndex();
    const uint32 wavefronts = (size.x * size.y * size.z + kWavefront - 1) / kWavefront;
    const bool own = ballot(condition) != 0;
    if (wavefronts == 1) {
        syncBlock();
        return own;
    }
    said[(thread.x + size.x * (thread.y + size.y * thread.z)) / kWavefront] = own;
    syncBlock();
    // The threads that are here share the words out.
    const uint64 here = ballot(true);
    const uint32 place = __builtin_amdgcn_mbcnt_hi((uint32)(here >> 32), __builtin_amdgcn_mbcnt_lo((uint32)here, 0));
    uint32 any = 0;
    for (uint32 i = place; i < wavefronts; i += __builtin_popcountll(here)) {
        any |= said[i];
    }
    syncBlock(); // all read before one of them says more
    return ballot(any != 0) != 0;
}

__device__ __forceinline__ float add(float a, float b) { return a + b; }
__device__ __forceinline__ float multiply(float a, float b) { return a * b; }
__device__ __forceinline__ float divide(float a, float b) { return a / b; }
__device__ __forceinline__ double add(double a, double b) { return a + b; }
__device__ __forceinline__ double multiply(double a, double b) { return a * b; }
__device__ __forceinline__ double divide(double a, double b) { return a / b; }

} // namespace mscclj

#define __syncthreads() ::mscclj::syncBlock()
#define __syncthreads_or(condition) ((int)::mscclj::syncBlockOr((condition) != 0))
#define __fadd_rn(a, b) ::mscclj::add((float)(a), (float)(b))
#define __fmul_rn(a, b) ::mscclj::multiply((float)(a), (float)(b))
#define __fdiv_rn(a, b) ::mscclj::divide((float)(a), (float)(b))
#define __dadd_rn(a, b) ::mscclj::add((double)(a), (double)(b))
#define __dmul_rn(a, b) ::mscclj::multiply((double)(a), (double)(b))
#define __ddiv_rn(a, b) ::mscclj::divide((double)(a), (double)(b))

#if !defined(__HIPCC_RTC__) && !defined(HIP_INCLUDE_HIP_HIP_RUNTIME_H)
#define threadIdx (::mscclj::threadIndex())
#define blockIdx (::mscclj::blockIndex())
#define blockDim (::mscclj::blockSize())
#define gridDim (::mscclj::gridSize())

__device__ __forceinline__ int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }
__device__ __forceinline__ unsigned __float_as_uint(float value) { return __builtin_bit_cast(unsigned, value); }
__device__ __forceinline__ float __uint_as_float(unsigned bits) { return __builtin_bit_cast(float, bits); }

#ifndef __CLANG_HIP_MATH_H__
template <class T>
__device__ __forceinline__ T min(T a, T b) { return b < a ? b : a; }

template <class T>
__device__ __forceinline__ T max(T a, T b) { return a < b ? b : a; }
#endif
#endif
