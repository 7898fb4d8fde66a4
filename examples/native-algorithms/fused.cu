#include "mscclj/memorychannel.cuh"
#include "mscclj/syncer.cuh"

namespace {

constexpr unsigned TILE = 8; // rows, which a thread computes together

// Multiplies rows of A by B into C: each thread computes some columns of all rows of the tile.
__device__ void multiply(const int* a, const int* b, int* c, unsigned first, unsigned rows, unsigned inner,
                         unsigned columns) {
    for (unsigned column = threadIdx.x; column < columns; column += blockDim.x) {
        int sums[TILE] = {};
        for (unsigned i = 0; i < inner; i++) {
            int factor = b[i * columns + column];
            for (unsigned row = 0; row < TILE; row++) {
                // The last tile is smaller: its other sums are not stored.
                sums[row] += a[(first + (row < rows ? row : 0)) * inner + i] * factor;
            }
        }
        for (unsigned row = 0; row < rows; row++) {
            c[(unsigned long long)(first + row) * columns + column] = sums[row];
        }
    }
}

// Lets peers write C, and waits until their C may be written. By one block.
__device__ bool begin(const mscclj::MemoryChannel* const* channels, unsigned peers) {
    for (unsigned peer = threadIdx.x; peer < peers; peer += blockDim.x) {
        channels[peer]->relaxedSignal();
    }
    for (unsigned peer = threadIdx.x; peer < peers; peer += blockDim.x) {
        if (!channels[peer]->relaxedWait()) {
            return false; // aborted, or the peer is gone
        }
    }
    return true;
}

} // namespace

// Multiplies this rank's rows of A by B into its rows of C, and puts them into the C of all peers: a block puts its tile
// while other blocks compute theirs. For any numbers of blocks and threads. C is target and origin of the channels.
// Without peers it only computes.
extern "C" __global__ void fused(const mscclj::MemoryChannel* const* channels, unsigned peers,
                                 mscclj::DeviceSyncer* syncer, const int* a, const int* b, int* c, unsigned firstRow,
                                 unsigned rows, unsigned inner, unsigned columns) {
    bool begun = peers == 0;
    for (unsigned done = blockIdx.x * TILE; done < rows || !begun; done += gridDim.x * TILE) {
        unsigned count = done >= rows ? 0 : rows - done < TILE ? rows - done : TILE;
        unsigned first = firstRow + done;
        if (count > 0) {
            multiply(a, b, c, first, count, inner, columns);
        }
        __syncthreads(); // the tile is complete
        if (!begun) {    // the first tile is computed meanwhile
            if (blockIdx.x == 0 && !begin(channels, peers)) {
                syncer->abandon();
            }
            if (!syncer->sync(gridDim.x, channels[0]->abortWord())) {
                return;
            }
            begun = true;
        }
        unsigned long long offset = (unsigned long long)first * columns * sizeof(int);
        for (unsigned peer = 0; peer < peers; peer++) {
            channels[peer]->put(offset, offset, (unsigned long long)count * columns * sizeof(int), threadIdx.x,
                                blockDim.x);
        }
    }
    if (peers == 0 || !syncer->sync(gridDim.x, channels[0]->abortWord()) || blockIdx.x > 0) {
        return;
    }
    for (unsigned peer = threadIdx.x; peer < peers; peer += blockDim.x) { // for all blocks
        channels[peer]->signal();
    }
    for (unsigned peer = threadIdx.x; peer < peers; peer += blockDim.x) {
        if (!channels[peer]->wait()) { // the peer's rows are here
            return;                    // the host asks Channel.checkWaits()
        }
    }
}
