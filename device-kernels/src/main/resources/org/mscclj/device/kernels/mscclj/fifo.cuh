// The ring of triggers that a device pushes and a proxy on the host executes. A trigger has two 64-bit words:
//
//   word 0   size 32 | source offset 32
//   word 1   destination offset 32 | source memory id 9 | destination memory id 9 | type 3 | semaphore id 10 | lap 1
//
// The lap bit of a full slot differs from that of the lap before, so slots need no clearing. Offsets have 64 bits here:
// every memory has consecutive ids, one for each 4 GiB.
#pragma once
#include "mscclj/spin.cuh"

namespace mscclj {

// A ring from the device's side. The host writes this structure (PortRing.java, and its test).
struct PortRing {
    uint64* slots;         // in host memory
    const uint64* tail;    // number of positions that the proxy has consumed; in host memory
    const uint64* flushed; // for each semaphore, the position up to which flushes are answered; in host memory
    uint64* head;          // number of positions claimed; in device memory
    uint64* tailSeen;      // a cached tail, which spares reads of host memory; in device memory
    uint64 capacity;       // a power of two
};

enum TriggerType { kTriggerData = 1, kTriggerSignal = 2, kTriggerFlush = 4 };

// Pushes a trigger by one thread; releases all earlier writes. Returns its position, or -1 if the communicator was
// aborted.
__device__ __forceinline__ int64 push(const PortRing& ring, uint64 word0, uint64 word1, const uint32* abortWord) {
    uint64 position = fetchAddDevice(ring.head, 1);
    if (position - loadRelaxedSystem(ring.tailSeen) >= ring.capacity) {
        Spin spin(abortWord);
        uint64 tail;
        while (position - (tail = loadAcquireSystem(ring.tail)) >= ring.capacity) {
            if (!spin.again()) {
                return -1;
            }
        }
        storeRelaxedSystem(ring.tailSeen, tail);
    }
    uint64* slot = ring.slots + 2 * (position & (ring.capacity - 1));
    uint64 lap = (position & ring.capacity) == 0 ? 1ull << 63 : 0;
    storeRelaxedSystem(slot, word0);
    storeReleaseSystem(slot + 1, word1 | lap);
    return (int64)position;
}

__device__ __forceinline__ uint64 triggerWord1(uint64 destinationOffset, uint32 sourceId, uint32 destinationId, uint32 type, uint32 semaphoreId) {
    return destinationOffset | (uint64)sourceId << 32 | (uint64)destinationId << 41 | (uint64)type << 50 | (uint64)semaphoreId << 53;
}

// Pushes a copy of any size, in as many triggers as needed; false if the communicator was aborted.
__device__ __forceinline__ bool pushCopy(const PortRing& ring, uint32 semaphoreId, uint32 sourceId, uint64 sourceOffset,
                                         uint32 destinationId, uint64 destinationOffset, uint64 bytes, const uint32* abortWord) {
    constexpr uint64 kWindow = 1ull << 32;
    constexpr uint64 kMost = kWindow - 4096;
    while (bytes > 0) {
        uint64 source = sourceOffset & (kWindow - 1);
        uint64 destination = destinationOffset & (kWindow - 1);
        uint64 size = bytes < kMost ? bytes : kMost;
        size = size < kWindow - source ? size : kWindow - source;
        size = size < kWindow - destination ? size : kWindow - destination;
        uint64 word1 = triggerWord1(destination, sourceId + (uint32)(sourceOffset >> 32),
                                    destinationId + (uint32)(destinationOffset >> 32), kTriggerData, semaphoreId);
        if (push(ring, size | source << 32, word1, abortWord) < 0) {
            return false;
        }
        sourceOffset += size;
        destinationOffset += size;
        bytes -= size;
    }
    return true;
}

// Waits until the flush at a position is answered; false if the communicator was aborted.
__device__ __forceinline__ bool awaitFlush(const PortRing& ring, uint32 semaphoreId, int64 position, const uint32* abortWord) {
    Spin spin(abortWord);
    while (loadAcquireSystem(ring.flushed + semaphoreId) <= (uint64)position) {
        if (!spin.again()) {
            return false;
        }
    }
    return true;
}

} // namespace mscclj
