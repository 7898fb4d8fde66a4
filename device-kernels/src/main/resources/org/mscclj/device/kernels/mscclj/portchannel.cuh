// Port channels, for kernels of your own: what they ask for, a proxy on the host carries out.
//
//     __global__ void kernel(const mscclj::PortChannel* channel)        // Channel.deviceHandle() of the host
//
// Target is the peer's registered memory, origin this rank's. Offsets and sizes are bytes and have 64 bits; the proxy refuses what lies outside, which
// aborts the communicator. Every operation is for one thread; any thread of any block may call one. What one thread queues is carried out in its
// order; what several threads queue, in the order in which they got places in the ring. Who wants another order lets the threads meet in between.
//
// Queueing releases, at system scope, everything that the thread wrote before, and what threads that it has met wrote before that: so a put may follow
// a __syncthreads() after the block has written the origin. What waits for the proxy, or finds the ring full, gives
// false if the communicator was aborted; what waits for the peer also if that has closed its communicator, and has not
// signalled before. Channel.checkWaits() of the host throws why.
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

    // Queues a copy from origin to target. The origin must not change until `flush`. False if the communicator was aborted.
    __device__ __forceinline__ bool put(uint64 targetOffset, uint64 originOffset, uint64 bytes) const {
        return pushCopy(ring, semaphoreId, originId, originOffset, targetId, targetOffset, bytes, inbound.abortWord);
    }

    // Queues a signal. Who has waited for it sees everything that was put through this channel before, and what this thread had released. False if
    // the communicator was aborted.
    __device__ __forceinline__ bool signal() const { return tell(kTriggerSignal) >= 0; }

    // Waits until the origins of everything put so far have been read, and may be changed. Does not say that the data has arrived. False if the
    // communicator was aborted.
    __device__ __forceinline__ bool flush() const { return awaitAnswer(tell(kTriggerFlush)); }

    // `put`, then `signal`: one trigger, where the copy takes only one.
    __device__ __forceinline__ bool putWithSignal(uint64 targetOffset, uint64 originOffset, uint64 bytes) const {
        return putAnd(targetOffset, originOffset, bytes, kTriggerSignal) >= 0;
    }

    // `put`, then `signal`, then `flush`.
    __device__ __forceinline__ bool putWithSignalAndFlush(uint64 targetOffset, uint64 originOffset, uint64 bytes) const {
        return awaitAnswer(putAnd(targetOffset, originOffset, bytes, kTriggerSignal | kTriggerFlush));
    }

    // Whether the peer's next signal has arrived; if so it counts as waited for. Acquires, at system scope, what was put and released before it.
    // Never waits: a loop of polls must ask `peerGone` now and then.
    __device__ __forceinline__ bool poll() const { return inbound.poll(); }

    // Waits for the peer's next signal: each call answers one. Acquires, at system scope, for this thread and for those that it meets afterwards.
    // False if nothing comes any more.
    __device__ __forceinline__ bool wait() const { return inbound.wait(); }

    // Whether nothing comes any more: the communicator is aborted, or the peer has closed its communicator. A thread
    // that polls looks once more after that, for what the peer has sent before. Takes over a microsecond, since the
    // word lies in memory of the host.
    __device__ __forceinline__ bool peerGone() const { return inbound.peerGone(); }

    // Whether the communicator is aborted. Takes as long.
    __device__ __forceinline__ bool aborted() const { return inbound.aborted(); }

    // Where the communicator's abort word is, for syncers and semaphores: waits of blocks for each other do not end
    // because a peer has closed.
    __device__ __forceinline__ const uint32* abortWord() const { return inbound.abortWord; }

private:
    __device__ __forceinline__ int64 tell(uint32 type) const {
        return push(ring, 0, triggerWord1(0, 0, 0, type, semaphoreId), inbound.abortWord);
    }

    __device__ __forceinline__ bool awaitAnswer(int64 position) const {
        return position >= 0 && awaitFlush(ring, semaphoreId, position, inbound.abortWord);
    }

    // A copy, whose last trigger also does what `then` says; that trigger's position, or -1.
    __device__ __forceinline__ int64 putAnd(uint64 targetOffset, uint64 originOffset, uint64 bytes, uint32 then) const {
        constexpr uint64 kWindow = 1ull << 32;
        uint64 source = originOffset & (kWindow - 1);
        uint64 destination = targetOffset & (kWindow - 1);
        uint64 further = source > destination ? source : destination;
        bool takesOne = bytes > 0 && bytes < kWindow / 2 && further < kWindow / 2;
        if (!takesOne) {
            return put(targetOffset, originOffset, bytes) ? tell(then) : -1;
        }
        uint64 word1 = triggerWord1(destination, originId + (uint32)(originOffset >> 32),
                                    targetId + (uint32)(targetOffset >> 32), kTriggerData | then, semaphoreId);
        return push(ring, bytes | source << 32, word1, inbound.abortWord);
    }
};

static_assert(sizeof(PortChannel) == 112, "as the host has it");

} // namespace mscclj
