#include "mscclj/memorychannel.cuh"
#include "mscclj/syncer.cuh"

// Part p of the input becomes part `rank` of rank p's output. For one block for each peer, of any number of threads.
// Step d stores to the rank at distance d, and waits for the rank at distance -d, so that in each step one rank stores
// to each rank. Offsets and sizes are in bytes; the output's offset is equal on all ranks.
extern "C" __global__ void alltoall(const mscclj::MemoryChannel* const* channels, mscclj::DeviceSyncer* syncer,
                                    unsigned rank, unsigned ranks, unsigned long long input,
                                    unsigned long long inputOffset, unsigned long long output,
                                    unsigned long long outputOffset, unsigned long long bytes) {
    const mscclj::MemoryChannel& channel = *channels[blockIdx.x];
    unsigned remote = blockIdx.x < rank ? blockIdx.x : blockIdx.x + 1;
    // A rank may write the other's output once the launches of both have begun.
    if (threadIdx.x == 0) {
        channel.relaxedSignal();
        if (!channel.relaxedWait()) {
            syncer->abandon(); // aborted, or the peer is gone: the other blocks end, too
        }
    }
    mscclj::copy(output + rank * bytes, input + rank * bytes, bytes, blockIdx.x * blockDim.x + threadIdx.x,
                 gridDim.x * blockDim.x);
    for (unsigned distance = 1; distance < ranks; distance++) {
        if (!syncer->sync(gridDim.x, channel.abortWord())) {
            return;
        }
        if (remote == (rank + distance) % ranks) {
            channel.put(outputOffset + rank * bytes, inputOffset + remote * bytes, bytes, threadIdx.x, blockDim.x);
            __syncthreads(); // so that one thread may signal for all
            if (threadIdx.x == 0) {
                channel.signal();
            }
        }
        if (threadIdx.x == 0 && remote == (rank + ranks - distance) % ranks && !channel.wait()) {
            syncer->abandon();
        }
    }
}
