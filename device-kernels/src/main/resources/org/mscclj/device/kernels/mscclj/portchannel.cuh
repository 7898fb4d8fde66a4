// Port channels for kernels of users: requests that a proxy on the host executes.
//
//     __global__ void kernel(const mscclj::PortChannel* channel)        // Channel.deviceHandle() of the host
//
// Target is the peer's registered memory, origin is this rank's. Offsets and sizes are in bytes and have 64 bits; the
// proxy refuses accesses outside of these memories, which aborts the communicator. One thread calls an operation, any
// thread of any block. Requests of one thread are executed in their order; requests of several threads in the order in
// which they obtained slots in the ring. Threads that need another order must synchronise in between.
//
// A request releases, at system scope, all earlier writes of the thread, and of threads with which it synchronised
// before: a put may follow a __syncthreads() after the block has written the origin. Operations that wait for the
// proxy, or for a free slot in the ring, return false if the communicator was aborted; waits for the peer also if the
// peer has closed its communicator without having signalled before. Channel.checkWaits() on the host throws the reason.
#pragma once
#include "mscclj/fifo.cuh"
#include "mscclj/signals.cuh"

namespace mscclj {

// The host writes this structure (PortChannelStructure.java, and its test).
struct PortChannel {
    InboundSignals inbound;
    PortRing ring;
    uint32 semaphoreId;
    uint32 originId; // first memory ids: one for each 4 GiB
    uint32 targetId;
    uint32 spare;
    uint64 targetBytes;
    uint64 originBytes;

    // Requests a copy from origin to target. The origin must not change until `flush`. False if the communicator was
    // aborted.
    __device__ __forceinline__ bool put(uint64 targetOffset, uint64 originOffset, uint64 bytes) const {
        return pushCopy(ring, semaphoreId, originId, originOffset, targetId, targetOffset, bytes, inbound.abortWord);
    }

    // Requests a signal. A wait for it acquires all earlier puts through this channel, and what this thread has
    // released. False if the communicator was aborted.
    __device__ __forceinline__ bool signal() const { return request(kTriggerSignal) >= 0; }

    // Waits until the origins of all earlier puts have been read, and may change. Does not mean that the data has
    // arrived. False if the communicator was aborted.
    __device__ __forceinline__ bool flush() const { return awaitAnswer(request(kTriggerFlush)); }

    // `put`, then `signal`: one trigger if the copy takes one.
    __device__ __forceinline__ bool putWithSignal(uint64 targetOffset, uint64 originOffset, uint64 bytes) const {
        return putAnd(targetOffset, originOffset, bytes, kTriggerSignal) >= 0;
    }

    // `put`, then `signal`, then `flush`.
    __device__ __forceinline__ bool putWithSignalAndFlush(uint64 targetOffset, uint64 originOffset, uint64 bytes) const {
        return awaitAnswer(putAnd(targetOffset, originOffset, bytes, kTriggerSignal | kTriggerFlush));
    }

    // Whether the peer's next signal has arrived; if so, this call consumes it. Acquires, at system scope, earlier puts
    // and what the signal released. Never waits: a loop of polls must check `peerGone` at intervals.
    __device__ __forceinline__ bool poll() const { return inbound.poll(); }

    // Waits for the peer's next signal and consumes it. Acquires, at system scope, for this thread and for those that
    // synchronise with it afterwards. False if no signal will arrive.
    __device__ __forceinline__ bool wait() const { return inbound.wait(); }

    // Whether no further signal will arrive: the communicator is aborted, or the peer has closed its communicator. A
    // thread that polls must poll once more after that, for signals that the peer sent before. Takes over a
    // microsecond, since the word is in host memory.
    __device__ __forceinline__ bool peerGone() const { return inbound.peerGone(); }

    // Whether the communicator is aborted. Takes as long.
    __device__ __forceinline__ bool aborted() const { return inbound.aborted(); }

    // The communicator's abort word, for syncers and semaphores: waits of blocks for each other do not end when a rank
    // closes its communicator.
    __device__ __forceinline__ const uint32* abortWord() const { return inbound.abortWord; }

private:
    __device__ __forceinline__ int64 request(uint32 type) const {
        return push(ring, 0, triggerWord1(0, 0, 0, type, semaphoreId), inbound.abortWord);
    }

    __device__ __forceinline__ bool awaitAnswer(int64 position) const {
        return position >= 0 && awaitFlush(ring, semaphoreId, position, inbound.abortWord);
    }

    // A copy whose last trigger also has the types in `then`; returns that trigger's position, or -1.
    __device__ __forceinline__ int64 putAnd(uint64 targetOffset, uint64 originOffset, uint64 bytes, uint32 then) const {
        constexpr uint64 kWindow = 1ull << 32;
        uint64 source = originOffset & (kWindow - 1);
        uint64 destination = targetOffset & (kWindow - 1);
        uint64 further = source > destination ? source : destination;
        bool takesOne = bytes > 0 && bytes < kWindow / 2 && further < kWindow / 2;
        if (!takesOne) {
            return put(targetOffset, originOffset, bytes) ? request(then) : -1;
        }
        uint64 word1 = triggerWord1(destination, originId + (uint32)(originOffset >> 32),
                                    targetId + (uint32)(targetOffset >> 32), kTriggerData | then, semaphoreId);
        return push(ring, bytes | source << 32, word1, inbound.abortWord);
    }
};

static_assert(sizeof(PortChannel) == 112, "as the host has it");

} // namespace mscclj
