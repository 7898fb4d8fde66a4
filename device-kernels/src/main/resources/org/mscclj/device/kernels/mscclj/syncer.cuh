// Meetings of all blocks of a kernel.
#pragma once
#include "mscclj/block.cuh"

namespace mscclj {

// Lies in memory of the device that starts as zeros, and may be used any number of times, by one kernel after the other, always for the same number of
// blocks, until it has given false: then it has to be set to zero. All of them must be on the GPU at once, or they wait for ever: DeviceKernel.maxBlocks says how many can be.
struct DeviceSyncer {
    uint64 arrivals; // counts for ever

    // Meets the other blocks. All threads of all `blocks` blocks; a __syncthreads() is part of it. Afterwards each thread sees what every thread of
    // every block wrote before, and a signal of any of them releases it. False, in all threads of the block, if the communicator was aborted.
    __device__ __forceinline__ bool sync(uint32 blocks, const uint32* abortWord) {
        __syncthreads();
        bool aborted = threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0 && !arrive(&arrivals, blocks, abortWord);
        return !__syncthreads_or(aborted);
    }
};

static_assert(sizeof(DeviceSyncer) == 8, "what users allocate");

} // namespace mscclj
