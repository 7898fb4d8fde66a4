// Uses puts, gets and signals of a window, between all ranks. Each rank has its data at the start of its memory, and
// after it a slot for each rank.
#include "mscclj/syncer.cuh"
#include "mscclj/window.cuh"

using namespace mscclj;

// The host writes this structure.
struct Exchange {
    const Window* window;
    DeviceSyncer* syncer;
    char* got;         // a slot for each rank, in memory outside the window
    uint64 bytes;      // bytes of the data
    uint64 slotBytes;
    uint64 shift;      // offset of puts in a slot, and number of bytes at the start of the data that they skip
};

// Synchronizes all threads of the grid. Returns false if the communicator is aborted.
__device__ bool meet(const Exchange& exchange) {
    return exchange.syncer->sync(gridDim.x, exchange.window->abortWord());
}

// Puts the data into this rank's slot on every other rank, and gets the data of the other ranks after their signals.
// The status is 100 at the end.
extern "C" __global__ void access(const Exchange* given, uint64* status) {
    const Exchange& exchange = *given;
    const Window& window = *exchange.window;
    const uint64 thread = (uint64)blockIdx.x * blockDim.x + threadIdx.x;
    const uint64 threads = (uint64)gridDim.x * blockDim.x;
    const bool one = thread == 0;
    const uint64 own = window.rank;
    for (uint64 rank = 0; rank < window.rankCount; rank++) {
        if (rank != own) {
            window.put(rank, (1 + own) * exchange.slotBytes + exchange.shift, window.at(own, exchange.shift),
                       exchange.bytes - exchange.shift, thread, threads);
        }
    }
    if (!meet(exchange)) {
        return;
    }
    if (one) {
        for (uint64 rank = 0; rank < window.rankCount; rank++) {
            if (rank != own) {
                window.signal(rank);
            }
        }
        for (uint64 rank = 0; rank < window.rankCount; rank++) {
            if (rank == own) {
                continue;
            }
            if (rank % 2 == 0) {
                if (!window.wait(rank)) {
                    return;
                }
            } else {
                while (!window.poll(rank)) {
                    if (window.aborted()) {
                        return;
                    }
                }
            }
        }
    }
    if (!meet(exchange)) {
        return;
    }
    for (uint64 rank = 0; rank < window.rankCount; rank++) {
        if (rank != own) {
            window.get(rank, 0, exchange.got + rank * exchange.slotBytes, exchange.bytes, thread, threads);
        }
    }
    if (!meet(exchange)) {
        return;
    }
    if (one) {
        *status = window.bytes(own) == (1 + window.rankCount) * exchange.slotBytes ? 100 : 1;
    }
}
