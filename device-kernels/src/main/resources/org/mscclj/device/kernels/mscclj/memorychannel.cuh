// Memory channels, for kernels of your own: loads from and stores to the mapped memory of a peer, signals, and packets.
//
//     __global__ void kernel(const mscclj::MemoryChannel* channel)      // Channel.deviceHandle() of the host
//
// Target is the peer's registered memory, origin this rank's, packet memory this rank's into which the peer puts packets. Offsets and sizes are bytes
// and are not checked. A channel may be used by any threads of any blocks of one kernel after the other; kernels that use it at once must be prepared
// for each to answer the other's signals.
//
// Data operations are shared by a group of threads, of one block or of several: each calls with its number `threadId`, from 0, and with their number
// `threadCount`. They order nothing by themselves:
//   - what several threads have put is released by one of them, who signals after all have met: __syncthreads() in a block, DeviceSyncer in a grid;
//   - what one thread has waited for may be read by the others after they have met it.
//
// What waits gives false if the communicator was aborted, or if the peer has closed its communicator and what is
// waited for was not sent before. Nothing that it waits for will come then, and the kernel should return;
// Channel.checkWaits() of the host throws why.
#pragma once
#include "mscclj/copy.cuh"
#include "mscclj/packet.cuh"
#include "mscclj/signals.cuh"
#include "mscclj/value.cuh"

namespace mscclj {

// The host writes this structure (MemoryChannelStructure.java, and its test).
struct MemoryChannel {
    InboundSignals inbound;
    uint64* peerCounter; // what signals raise; mapped
    uint64 target;       // addresses, as this device sees them
    uint64 origin;
    uint64 packets; // 0 if there is none
    uint64 targetBytes;
    uint64 originBytes;
    uint64 packetBytes;

    // Copies from origin to target. All threads of the group. Fastest where both places are equal modulo 16.
    __device__ __forceinline__ void put(uint64 targetOffset, uint64 originOffset, uint64 bytes, uint64 threadId,
                                        uint64 threadCount) const {
        copy(target + targetOffset, origin + originOffset, bytes, threadId, threadCount);
    }

    // Copies from target to origin. All threads of the group. What the peer wrote is seen if a wait has acquired it.
    __device__ __forceinline__ void get(uint64 targetOffset, uint64 originOffset, uint64 bytes, uint64 threadId,
                                        uint64 threadCount) const {
        copy(origin + originOffset, target + targetOffset, bytes, threadId, threadCount);
    }

    // What the target holds at an offset that is a multiple of the type's size: 1, 2, 4, 8 or 16 bytes. One thread. Up to 8 bytes arrive whole, and
    // are loaded anew each time. Orders nothing.
    template <class T>
    __device__ __forceinline__ T read(uint64 targetOffset) const {
        return loadValue<T>(target + targetOffset);
    }

    // Stores a value in the target, as `read` loads one. One thread. Orders nothing.
    template <class T>
    __device__ __forceinline__ void write(uint64 targetOffset, T value) const {
        storeValue<T>(target + targetOffset, value);
    }

    // Raises the peer's counter by one. One thread. Releases, at system scope, everything that this thread wrote before, and what threads that it has
    // met wrote before that: to the target, to its own memory, anywhere.
    __device__ __forceinline__ void signal() const { addReleaseSystem(peerCounter, 1); }

    // Raises the peer's counter by one, and releases nothing: says "I am here", and not "my data is there". One thread.
    __device__ __forceinline__ void relaxedSignal() const { addRelaxedSystem(peerCounter, 1); }

    // Whether the next signal has arrived; if so it counts as waited for. One thread. Acquires, at system scope, what the signal released. Never
    // waits: a loop of polls must ask `peerGone` now and then.
    __device__ __forceinline__ bool poll() const { return inbound.poll(); }

    // Waits for the next signal. One thread: each call answers one signal. Acquires, at system scope, what the signal released, for this thread and
    // for those that it meets afterwards. False if nothing comes any more.
    __device__ __forceinline__ bool wait() const { return inbound.wait(); }

    // Waits for the next signal, and acquires nothing. One thread. False if nothing comes any more.
    __device__ __forceinline__ bool relaxedWait() const { return inbound.relaxedWait(); }

    // Whether nothing comes any more: the communicator is aborted, or the peer has closed its communicator. A thread
    // that polls looks once more after that, for what the peer has sent before. One thread; takes over a microsecond,
    // since the word lies in memory of the host.
    __device__ __forceinline__ bool peerGone() const { return inbound.peerGone(); }

    // Whether the communicator is aborted. One thread; takes as long.
    __device__ __forceinline__ bool aborted() const { return inbound.aborted(); }

    // Where the communicator's abort word is, for syncers and semaphores: waits of blocks for each other do not end
    // because a peer has closed.
    __device__ __forceinline__ const uint32* abortWord() const { return inbound.abortWord; }

    // Writes data as packets into the target, twice its size. All threads of the group. The place is a multiple of 16 bytes, data of 8, and the bytes
    // are a multiple of 8. The flag is not 0 and not that of packets which are already there. A packet is ordered after the loads that its data
    // was computed from by this thread, and after nothing else. Before packets are put in the place of others, the peer must have said that it has
    // taken those, by a signal or by packets of its own.
    template <PacketType Type>
    __device__ __forceinline__ void putPackets(uint64 targetOffset, uint64 originOffset, uint64 bytes, uint64 threadId,
                                               uint64 threadCount, uint32 flag) const {
        for (uint64 at = threadId * 8; at < bytes; at += threadCount * 8) {
            storePacket<Type>(target + targetOffset + 2 * at, load8(origin + originOffset + at), flag);
        }
    }

    // Waits for packets in this rank's packet memory, and stores their data in the origin. All threads of the group; offsets and sizes as in
    // `putPackets`. False, in each thread for itself, if nothing comes any more.
    template <PacketType Type>
    __device__ __forceinline__ bool getPackets(uint64 packetOffset, uint64 originOffset, uint64 bytes, uint64 threadId,
                                               uint64 threadCount, uint32 flag) const {
        for (uint64 at = threadId * 8; at < bytes; at += threadCount * 8) {
            Words2 data;
            if (!unpackPacket<Type>(packetOffset + 2 * at, flag, data)) {
                return false;
            }
            store8(origin + originOffset + at, data);
        }
        return true;
    }

    // Waits for the packet at an offset of this rank's packet memory, a multiple of 16, and gives its 8 bytes of data.
    // One thread. False if nothing comes any more.
    template <PacketType Type>
    __device__ __forceinline__ bool unpackPacket(uint64 packetOffset, uint32 flag, Words2& data) const {
        Spin spin(inbound.peerWord);
        while (!tryLoadPacket<Type>(packets + packetOffset, flag, data)) {
            if (!spin.again()) {
                lastLook();
                return tryLoadPacket<Type>(packets + packetOffset, flag, data);
            }
        }
        return true;
    }
};

static_assert(sizeof(MemoryChannel) == 88, "as the host has it");

} // namespace mscclj
