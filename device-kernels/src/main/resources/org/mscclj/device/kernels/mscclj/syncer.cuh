// Meetings of all blocks of a kernel.
#pragma once
#include "mscclj/block.cuh"

namespace mscclj {

// Lies in memory of the device that starts as zeros, and may be used any number of times, by one kernel after the other, always for the same number of
// blocks, until it has given false: then it has to be set to zero. All of them must be on the GPU at once, or they wait for ever: DeviceKernel.maxBlocks says how many can be.
struct DeviceSyncer {
    uint64 arrivals; // never falls; no block waits any more once it is kAbandoned or higher

    // Meets the other blocks. All threads of all `blocks` blocks; a __syncthreads() is part of it. Afterwards each
    // thread sees what every thread of every block wrote before, and a signal of any of them releases it. False, in
    // all threads of the block, if the communicator was aborted, or the meeting was abandoned.
    __device__ __forceinline__ bool sync(uint32 blocks, const uint32* abortWord) {
        __syncthreads();
        bool alone = threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0 && !meet(blocks, abortWord);
        return !__syncthreads_or(alone);
    }

    // Ends the meetings of a kernel that cannot go on, as when a wait for a peer has given false: the other blocks get
    // false where they wait in `sync`, and when they come to it. One thread, or several.
    __device__ __forceinline__ void abandon() { exchangeDevice(&arrivals, kAbandoned); }

private:
    static constexpr uint64 kAbandoned = 1ull << 63;

    __device__ __forceinline__ bool meet(uint64 blocks, const uint32* abortWord) {
        uint64 arrival = fetchAddDevice(&arrivals, 1);
        if (arrival >= kAbandoned) {
            return false;
        }
        uint64 seen = awaitTurn(&arrivals, arrival, blocks, abortWord);
        return seen != 0 && seen < kAbandoned;
    }
};

static_assert(sizeof(DeviceSyncer) == 8, "what users allocate");

} // namespace mscclj
