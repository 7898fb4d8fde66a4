// What blocks do at the begin and the end of a launch besides their operations.
#pragma once
#include "mscclj/fifo.cuh"
#include "mscclj/launch.cuh"
#include "mscclj/spin.cuh"

namespace mscclj {

// Words of ContextLayout's counters, 128 bytes apart.
enum CounterWord { kStarted = 0, kFinished = 16, kArrivals = 32, kArrivalsByPort = 48 };

// Waits for the end of a turn of `blocks` arrivals. Returns the value of the word, never 0; 0 if the communicator was
// aborted.
__device__ __forceinline__ uint64 awaitTurn(uint64* word, uint64 arrival, uint64 blocks, const uint32* abortWord) {
    uint64 turnEnd = (arrival / blocks + 1) * blocks;
    Spin spin(abortWord);
    uint64 now;
    while ((now = loadAcquireDevice(word)) < turnEnd) {
        if (!spin.again()) {
            return 0;
        }
    }
    return now;
}

// Synchronises `blocks` blocks, of each of which one thread arrives at a word that counts all arrivals; false if the
// communicator was aborted. Happens-before: each arrival is a release and an acquire of the word, and the last value
// that a block waits for is that of the last arrival of its turn.
__device__ __forceinline__ bool arrive(uint64* word, uint64 blocks, const uint32* abortWord) {
    return awaitTurn(word, fetchAddDevice(word, 1), blocks, abortWord) != 0;
}

// Clears this rank's packets between the launch with flag 2^32-1 and that with flag 1, and synchronises all ranks. The
// rank's earlier launches have ended, so no block waits for old packets; and no rank writes new packets before their
// receivers have cleared. False if the communicator was aborted. Not inlined: it runs once in 2^32 launches, and would
// increase the register count of the others.
static __device__ __noinline__ bool syncWhereFlagsWrap(const LaunchHeader& header) {
    uint64 step = (uint64)gridDim.x * blockDim.x;
    for (uint64 i = (uint64)blockIdx.x * blockDim.x + threadIdx.x; i < header.scratchBytes / 8; i += step) {
        header.scratch[i] = 0;
    }
    __syncthreads();
    bool aborted = false;
    if (threadIdx.x == 0) {
        aborted = !arrive(header.wrapBarrier, gridDim.x, header.abortWord);
        if (!aborted && blockIdx.x == 0) {
            uint64 count = header.peers[0];
            uint64 ports = header.peers[1];
            uint64 syncs = header.wrapBarrier[1] + 1;
            header.wrapBarrier[1] = syncs;
            const uint64* peer = header.peers + 2;
            for (uint64 i = 0; i < count; i++, peer++) {
                addReleaseSystem((uint64*)*peer, 1);
            }
            for (uint64 i = 0; i < ports && !aborted; i++, peer += 2) {
                uint64 signal = triggerWord1(0, 0, 0, kTriggerSignal, (uint32)peer[1]);
                aborted = push(*(const PortRing*)peer[0], 0, signal, header.abortWord) < 0;
            }
            aborted = aborted || !awaitCounter(header.counters + kArrivals, syncs * count, header.abortWord)
                      || !awaitCounter(header.counters + kArrivalsByPort, syncs * ports, header.abortWord);
        }
        if (!aborted) {
            aborted = !arrive(header.wrapBarrier, gridDim.x, header.abortWord);
        }
    }
    return !__syncthreads_or(aborted);
}

// Ends a launch of a block, which has left it if `leaving` is true for one of its threads. All threads call this.
__device__ __forceinline__ void endLaunch(const LaunchHeader& header, uint32 flag, uint64 launches, bool leaving) {
    bool left = __syncthreads_or(leaving);
    if (threadIdx.x != 0) {
        return;
    }
    BlockState& state = header.blocks[blockIdx.x];
    if (left) {
        state.left = 1; // only for this block: the threads of a block that begins now might disagree
    }
    if (header.semaphoreCount != 0 && fetchAddDevice(header.leavers, 1) + 1 == header.blockCount) {
        for (uint64 i = 0; i < header.semaphoreCount; i++) {
            header.semaphores[i] = header.semaphores[header.semaphoreCount + i];
        }
        *header.leavers = 0;
    }
    if (blockIdx.x == 0) {
        storeRelaxedSystem(header.counters + kFinished, launches);
        storeRelaxedSystem(header.running, 0);
    }
    state.flag = flag == 0xffffffffu ? 1 : flag + 1;
    storeRelaxedSystem(&state.ended, launches);
    if (header.number != 0) {
        // Only this block writes its word, and launches of a rank do not overlap.
        storeReleaseSystem(header.finished + blockIdx.x, header.number == kReplay ? 2 * launches + 1 : header.number);
    }
}

} // namespace mscclj
