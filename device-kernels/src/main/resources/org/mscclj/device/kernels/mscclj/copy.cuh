// Copies of plain memory by a group of threads, of one block or of several. Each thread passes its number in the group
// and the group's size.
//
// Copies order nothing; the surrounding operations do.
#pragma once
#include "mscclj/memory.cuh"

namespace mscclj {

// Both addresses are multiples of the unit's size; a partial unit at the end is omitted.
template <class Unit>
__device__ __forceinline__ void copyUnits(uint64 to, uint64 from, uint64 bytes, uint64 threadId, uint64 threadCount) {
    // In flight at once: enough to hide the latency of a peer's memory.
    constexpr int kUnits = 8;
    const uint64 stride = threadCount * sizeof(Unit);
    const uint64 end = bytes & ~(uint64)(sizeof(Unit) - 1);
    uint64 at = threadId * sizeof(Unit);
    for (; at + (kUnits - 1) * stride < end; at += kUnits * stride) {
        Unit units[kUnits];
#pragma unroll
        for (int i = 0; i < kUnits; i++) {
            units[i] = loadUnit<Unit>(from + at + i * stride);
        }
#pragma unroll
        for (int i = 0; i < kUnits; i++) {
            storeUnit<Unit>(to + at + i * stride, units[i]);
        }
    }
    for (; at < end; at += stride) {
        storeUnit<Unit>(to + at, loadUnit<Unit>(from + at));
    }
}

// Addresses with equal distances from a multiple of the unit's size.
template <class Unit>
__device__ __forceinline__ void copyAlignedAlike(uint64 to, uint64 from, uint64 bytes, uint64 threadId, uint64 threadCount) {
    uint64 head = (0 - to) & (sizeof(Unit) - 1);
    head = head < bytes ? head : bytes;
    uint64 body = (bytes - head) & ~(uint64)(sizeof(Unit) - 1);
    copyUnits<uint8>(to, from, head, threadId, threadCount);
    copyUnits<Unit>(to + head, from + head, body, threadId, threadCount);
    copyUnits<uint8>(to + head + body, from + head + body, bytes - head - body, threadId, threadCount);
}

// Any addresses and sizes without overlap; fastest if both addresses are equal modulo 16.
__device__ __forceinline__ void copy(uint64 to, uint64 from, uint64 bytes, uint64 threadId, uint64 threadCount) {
    uint64 difference = to ^ from;
    if ((difference & 15) == 0) {
        copyAlignedAlike<Words4>(to, from, bytes, threadId, threadCount);
    } else if ((difference & 7) == 0) {
        copyAlignedAlike<Words2>(to, from, bytes, threadId, threadCount);
    } else if ((difference & 3) == 0) {
        copyAlignedAlike<uint32>(to, from, bytes, threadId, threadCount);
    } else {
        copyUnits<uint8>(to, from, bytes, threadId, threadCount);
    }
}

} // namespace mscclj
