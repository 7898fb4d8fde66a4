// Memory channels for kernels of users: loads from and stores to the mapped memory of a peer, signals, and packets.
//
//     __global__ void kernel(const mscclj::MemoryChannel* channel)      // Channel.deviceHandle() of the host
//
// Target is the peer's registered memory, origin is this rank's, and packet memory is the memory of this rank into
// which the peer puts packets. Offsets and sizes are in bytes and are not checked. Any threads of any blocks may use a
// channel, in one kernel after the other; concurrent kernels on one channel may consume each other's signals.
//
// A group of threads, of one block or of several, executes a data operation together: each thread passes its number
// `threadId`, from 0, and the number of threads `threadCount`. Data operations order nothing by themselves:
// - writes of several threads are released by one thread that signals after a synchronisation of all: __syncthreads()
// in a block, DeviceSyncer in a grid;
// - data that one thread has acquired by a wait is visible to threads that synchronise with it afterwards.
//
// Waits return false if the communicator was aborted, or if the peer has closed its communicator without having sent
// the signal before. No signal will arrive then, and the kernel should return; Channel.checkWaits() on the host throws
// the reason.
#pragma once
#include "mscclj/copy.cuh"
#include "mscclj/packet.cuh"
#include "mscclj/signals.cuh"
#include "mscclj/value.cuh"

namespace mscclj {

// The host writes this structure (MemoryChannelStructure.java, and its test).
struct MemoryChannel {
    InboundSignals inbound;
    uint64* peerCounter; // counter that signals raise; mapped
    uint64 target;       // addresses on this device
    uint64 origin;
    uint64 packets; // 0 if there is none
    uint64 targetBytes;
    uint64 originBytes;
    uint64 packetBytes;

    // Copies from origin to target. Called by all threads of the group. Fastest if both offsets are equal modulo 16.
    __device__ __forceinline__ void put(uint64 targetOffset, uint64 originOffset, uint64 bytes, uint64 threadId,
                                        uint64 threadCount) const {
        copy(target + targetOffset, origin + originOffset, bytes, threadId, threadCount);
    }

    // Copies from target to origin. Called by all threads of the group. Writes of the peer are visible after a wait
    // that acquires them.
    __device__ __forceinline__ void get(uint64 targetOffset, uint64 originOffset, uint64 bytes, uint64 threadId,
                                        uint64 threadCount) const {
        copy(origin + originOffset, target + targetOffset, bytes, threadId, threadCount);
    }

    // Loads a value at an offset of the target that is a multiple of the type's size: 1, 2, 4, 8 or 16 bytes. Called by
    // one thread. Loads of up to 8 bytes are atomic, and are never cached. Orders nothing.
    template <class T>
    __device__ __forceinline__ T read(uint64 targetOffset) const {
        return loadValue<T>(target + targetOffset);
    }

    // Stores a value in the target; see `read` for types and offsets. Called by one thread. Orders nothing.
    template <class T>
    __device__ __forceinline__ void write(uint64 targetOffset, T value) const {
        storeValue<T>(target + targetOffset, value);
    }

    // Raises the peer's counter by one. Called by one thread. Releases, at system scope, all earlier writes of this
    // thread, and of threads with which it synchronised before, to any memory.
    __device__ __forceinline__ void signal() const { addReleaseSystem(peerCounter, 1); }

    // Raises the peer's counter by one without releasing writes, to say that this thread has arrived. Called by one
    // thread.
    __device__ __forceinline__ void relaxedSignal() const { addRelaxedSystem(peerCounter, 1); }

    // Whether the next signal has arrived; if so, this call consumes it. Called by one thread. Acquires, at system
    // scope, what the signal released. Never waits: a loop of polls must check `peerGone` at intervals.
    __device__ __forceinline__ bool poll() const { return inbound.poll(); }

    // Waits for the next signal and consumes it. Called by one thread. Acquires, at system scope, what the signal
    // released, for this thread and for those that synchronise with it afterwards. False if no signal will arrive.
    __device__ __forceinline__ bool wait() const { return inbound.wait(); }

    // Waits for the next signal and consumes it, without acquiring. Called by one thread. False if no signal will
    // arrive.
    __device__ __forceinline__ bool relaxedWait() const { return inbound.relaxedWait(); }

    // Whether no further signal will arrive: the communicator is aborted, or the peer has closed its communicator. A
    // thread that polls must poll once more after that, for signals that the peer sent before. Called by one thread;
    // takes over a microsecond, since the word is in host memory.
    __device__ __forceinline__ bool peerGone() const { return inbound.peerGone(); }

    // Whether the communicator is aborted. Called by one thread; takes as long.
    __device__ __forceinline__ bool aborted() const { return inbound.aborted(); }

    // The communicator's abort word, for syncers and semaphores: waits of blocks for each other do not end when a rank
    // closes its communicator.
    __device__ __forceinline__ const uint32* abortWord() const { return inbound.abortWord; }

    // Writes data as packets into the target, where they take twice the size. Called by all threads of the group. The
    // target offset is a multiple of 16 bytes, the source offset and the size are multiples of 8. The flag is not 0 and
    // differs from that of packets already there. A packet is ordered after the loads of this thread from which its
    // data was computed, and after nothing else. Before packets are overwritten, the peer must have confirmed that it
    // has read them, by a signal or by packets.
    template <PacketType Type>
    __device__ __forceinline__ void putPackets(uint64 targetOffset, uint64 originOffset, uint64 bytes, uint64 threadId,
                                               uint64 threadCount, uint32 flag) const {
        for (uint64 at = threadId * 8; at < bytes; at += threadCount * 8) {
            storePacket<Type>(target + targetOffset + 2 * at, load8(origin + originOffset + at), flag);
        }
    }

    // Waits for packets in this rank's packet memory, and stores their data in the origin. Called by all threads of the
    // group; offsets and sizes as in `putPackets`. False, for each thread separately, if no packet will arrive.
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

    // Waits for the packet at an offset of this rank's packet memory, a multiple of 16, and returns its 8 bytes of
    // data. Called by one thread. False if no packet will arrive.
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
