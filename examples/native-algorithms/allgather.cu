#include "mscclj/copy.cuh"
#include "mscclj/portchannel.cuh"

// Puts this rank's input into the outputs of all peers, by the proxy of the host. For one block of any number of
// threads: each thread serves its share of the peers. Offsets and sizes are in bytes; the output's offset is equal on
// all ranks.
extern "C" __global__ void allgather(const mscclj::PortChannel* const* channels, unsigned peers, unsigned rank,
                                     unsigned long long input, unsigned long long inputOffset,
                                     unsigned long long output, unsigned long long outputOffset,
                                     unsigned long long bytes) {
    // Peers may write the output once this rank's launch has begun, and not before.
    for (unsigned peer = threadIdx.x; peer < peers; peer += blockDim.x) {
        channels[peer]->signal();
    }
    for (unsigned peer = threadIdx.x; peer < peers; peer += blockDim.x) {
        if (!channels[peer]->wait()) {
            return; // aborted, or the peer is gone
        }
        channels[peer]->putWithSignal(outputOffset + rank * bytes, inputOffset, bytes);
    }
    // Meanwhile, the own part. In place it is there already.
    if (output + rank * bytes != input) {
        mscclj::copy(output + rank * bytes, input, bytes, threadIdx.x, blockDim.x);
    }
    for (unsigned peer = threadIdx.x; peer < peers; peer += blockDim.x) {
        if (!channels[peer]->wait()) { // the peer's part is here
            return;
        }
    }
    for (unsigned peer = threadIdx.x; peer < peers; peer += blockDim.x) {
        if (!channels[peer]->flush()) { // the input may change
            return;
        }
    }
}
