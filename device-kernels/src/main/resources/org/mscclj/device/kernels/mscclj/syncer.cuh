// Synchronisation of all blocks of a kernel.
#pragma once
#include "mscclj/block.cuh"

namespace mscclj {

// Kernels may use a syncer, which is in device memory that is initially zero, any number of times, one kernel after the
// other, always for the same number of blocks. After it has returned false, it must be set to zero. All blocks must be
// resident on the GPU at once, or they wait forever: DeviceKernel.maxBlocks returns the possible number.
struct DeviceSyncer {
    uint64 arrivals; // never falls; no block waits any more once it is kAbandoned or higher

    // Synchronises with the other blocks. Called by all threads of all `blocks` blocks; includes a __syncthreads().
    // Afterwards, writes of every thread of every block before it are visible to each thread, and a signal of any
    // thread releases them. False, in all threads of the block, if the communicator was aborted, or a block called
    // `abandon`.
    __device__ __forceinline__ bool sync(uint32 blocks, const uint32* abortWord) {
        __syncthreads();
        bool alone = threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0 && !arriveAndWait(blocks, abortWord);
        return !__syncthreads_or(alone);
    }

    // Ends the synchronisation of a kernel that cannot continue, for example because a wait for a peer has returned
    // false: `sync` returns false in the other blocks, including later calls. Called by one thread or several.
    __device__ __forceinline__ void abandon() { exchangeDevice(&arrivals, kAbandoned); }

private:
    static constexpr uint64 kAbandoned = 1ull << 63;

    __device__ __forceinline__ bool arriveAndWait(uint64 blocks, const uint32* abortWord) {
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
