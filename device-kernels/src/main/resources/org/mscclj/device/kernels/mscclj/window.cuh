// Windows for kernels of users: copies to and from the memory of other ranks, and signals.
//
//     __global__ void kernel(const mscclj::Window* window)      // Window.deviceHandle() of the host
//
// A window reaches ranks of this node only. Offsets and sizes are in bytes and are not checked. Copies order nothing by
// themselves: writes of several threads are released by one thread that signals after a synchronisation of all
// (__syncthreads() in a block, DeviceSyncer in a grid), and data that one thread has acquired by a wait is visible to
// threads that synchronise with it afterwards.
//
// Signals are those of the host's calls: a rank may signal from a kernel while another waits in a launch, and vice
// versa. But at any time the signals of one rank are awaited either by kernels or by launches, not by both.
//
// Waits return false if the communicator was aborted, or if the other rank has closed its communicator without having
// signalled before. No signal will arrive then, and the kernel should return; Window.checkWaits() on the host throws
// the reason.
#pragma once
#include "mscclj/copy.cuh"
#include "mscclj/signals.cuh"

namespace mscclj {

// Another rank, or this one. The host writes this structure (WindowStructure.java, and its test).
struct WindowRank {
    InboundSignals inbound; // its signals to this rank; zero for this rank itself
    uint64* counter;        // counter that signals of this rank raise; mapped
    uint64 memory;          // address of its memory on this device; 0 if it has none, or is on another node
    uint64 bytes;           // size of its memory
};

// The host writes this structure, too.
struct Window {
    uint64 rank;
    uint64 rankCount;
    const uint32* abortWordAddress;
    const WindowRank* ranks;

    // The memory of a rank from an offset on, for loads and stores by the kernel.
    __device__ __forceinline__ void* at(uint64 other, uint64 offset) const { return (void*)(ranks[other].memory + offset); }

    // Size of a rank's memory in bytes.
    __device__ __forceinline__ uint64 bytes(uint64 other) const { return ranks[other].bytes; }

    // Copies to the memory of a rank. Called by all threads of the group. Fastest if both offsets are equal modulo 16.
    __device__ __forceinline__ void put(uint64 other, uint64 offset, const void* source, uint64 size, uint64 threadId,
                                        uint64 threadCount) const {
        copy(ranks[other].memory + offset, (uint64)source, size, threadId, threadCount);
    }

    // Copies from the memory of a rank. Called by all threads of the group. Writes of others are visible after a wait
    // that acquires them.
    __device__ __forceinline__ void get(uint64 other, uint64 offset, void* destination, uint64 size, uint64 threadId,
                                        uint64 threadCount) const {
        copy((uint64)destination, ranks[other].memory + offset, size, threadId, threadCount);
    }

    // Signals another rank. Called by one thread. Releases, at system scope, all earlier writes of this thread, and of
    // threads with which it synchronised before, to the memory of any rank.
    __device__ __forceinline__ void signal(uint64 other) const { addReleaseSystem(ranks[other].counter, 1); }

    // Whether the next signal of another rank has arrived; if so, this call consumes it. Called by one thread.
    // Acquires, at system scope, what the signal released. Never waits: a loop of polls must check `peerGone` at
    // intervals.
    __device__ __forceinline__ bool poll(uint64 other) const { return ranks[other].inbound.poll(); }

    // Waits for the next signal of another rank, and consumes it. Called by one thread. Acquires, at system scope, what
    // the signal released, for this thread and for those that synchronise with it afterwards. False if no signal will
    // arrive.
    __device__ __forceinline__ bool wait(uint64 other) const { return ranks[other].inbound.wait(); }

    // Whether no further signal of another rank will arrive: the communicator is aborted, or that rank has closed its
    // communicator. A thread that polls must poll once more after that, for signals that the rank sent before. Called
    // by one thread; takes over a microsecond, since the word is in host memory.
    __device__ __forceinline__ bool peerGone(uint64 other) const { return ranks[other].inbound.peerGone(); }

    // Whether the communicator is aborted. Called by one thread; takes as long.
    __device__ __forceinline__ bool aborted() const { return loadRelaxedSystem(abortWordAddress) != 0; }

    // The communicator's abort word, for syncers and semaphores: waits of blocks for each other do not end when a rank
    // closes its communicator.
    __device__ __forceinline__ const uint32* abortWord() const { return abortWordAddress; }
};

static_assert(sizeof(WindowRank) == 56 && sizeof(Window) == 32, "as the host has it");

} // namespace mscclj
