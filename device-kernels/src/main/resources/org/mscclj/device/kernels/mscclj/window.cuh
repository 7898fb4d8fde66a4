// Windows, for kernels of your own: copies to and from the memory of other ranks, and signals.
//
//     __global__ void kernel(const mscclj::Window* window)      // Window.deviceHandle() of the host
//
// Only ranks of this node are reached. Offsets and sizes are bytes and are not checked. Copies order nothing by themselves: what several threads have put is
// released by one of them, who signals after all have met (__syncthreads() in a block, DeviceSyncer in a grid), and what one thread has waited for may be read
// by the others after they have met it.
//
// Signals are those of the host's calls: a rank may signal from a kernel what another awaits by a launch, and the other way round. But the signals of one rank
// are awaited by kernels or by launches at any time, not by both at once.
//
// What waits gives false if the communicator was aborted, or if the rank that it waits for has closed its communicator
// and has not signalled before. Nothing will come then, and the kernel should return; Window.checkWaits() of the host
// throws why.
#pragma once
#include "mscclj/copy.cuh"
#include "mscclj/signals.cuh"

namespace mscclj {

// Another rank, or this one. The host writes this structure (WindowStructure.java, and its test).
struct WindowRank {
    InboundSignals inbound; // its signals to this rank; zeros for this rank
    uint64* counter;        // what this rank's signals to it raise; mapped
    uint64 memory;          // where its memory starts, as this device sees it; 0 if it has none, or is on another node
    uint64 bytes;           // how much it has
};

// The host writes this structure, too.
struct Window {
    uint64 rank;
    uint64 rankCount;
    const uint32* abortWordAddress;
    const WindowRank* ranks;

    // The memory of a rank from an offset on, for loads and stores of your own.
    __device__ __forceinline__ void* at(uint64 other, uint64 offset) const { return (void*)(ranks[other].memory + offset); }

    // Size of a rank's memory.
    __device__ __forceinline__ uint64 bytes(uint64 other) const { return ranks[other].bytes; }

    // Copies to the memory of a rank. All threads of the group. Fastest where both places are equal modulo 16.
    __device__ __forceinline__ void put(uint64 other, uint64 offset, const void* source, uint64 size, uint64 threadId,
                                        uint64 threadCount) const {
        copy(ranks[other].memory + offset, (uint64)source, size, threadId, threadCount);
    }

    // Copies from the memory of a rank. All threads of the group. What others wrote there is seen if a wait has acquired it.
    __device__ __forceinline__ void get(uint64 other, uint64 offset, void* destination, uint64 size, uint64 threadId,
                                        uint64 threadCount) const {
        copy((uint64)destination, ranks[other].memory + offset, size, threadId, threadCount);
    }

    // Signals another rank. One thread. Releases, at system scope, everything that this thread wrote before, and what threads that it has met wrote before
    // that, in whatever rank's memory.
    __device__ __forceinline__ void signal(uint64 other) const { addReleaseSystem(ranks[other].counter, 1); }

    // Whether the next signal of another rank has arrived; if so it is taken. One thread. Acquires, at system scope, what the signal released. Never waits:
    // a loop of polls must ask `peerGone` now and then.
    __device__ __forceinline__ bool poll(uint64 other) const { return ranks[other].inbound.poll(); }

    // Waits for the next signal of another rank, and takes it. One thread. Acquires, at system scope, what the signal released, for this thread and for those
    // that it meets afterwards. False if nothing comes any more.
    __device__ __forceinline__ bool wait(uint64 other) const { return ranks[other].inbound.wait(); }

    // Whether nothing comes from another rank any more: the communicator is aborted, or that rank has closed its
    // communicator. A thread that polls looks once more after that, for what the rank has sent before. One thread;
    // takes over a microsecond, since the word lies in memory of the host.
    __device__ __forceinline__ bool peerGone(uint64 other) const { return ranks[other].inbound.peerGone(); }

    // Whether the communicator is aborted. One thread; takes as long.
    __device__ __forceinline__ bool aborted() const { return loadRelaxedSystem(abortWordAddress) != 0; }

    // Where the communicator's abort word is, for syncers and semaphores: waits of blocks for each other do not end
    // because a rank has closed.
    __device__ __forceinline__ const uint32* abortWord() const { return abortWordAddress; }
};

static_assert(sizeof(WindowRank) == 56 && sizeof(Window) == 32, "as the host has it");

} // namespace mscclj
