// Operations of a plan on port channels, which a proxy executes. The first thread of the block pushes triggers; as
// everywhere, a nop orders earlier accesses of the block before them.
#pragma once
#include "mscclj/fifo.cuh"
#include "mscclj/run.cuh"

namespace mscclj {

// Requests the copies of a move with one source and one destination. Words: the reference to its runs; the ring's
// address; the semaphore id (low half); the source memory id (low half) and destination memory id; then the distances
// of halves. Addresses in runs are offsets in registered memory, with bit 62 set so that none is 0, and bit 63 as
// everywhere. Within a pipeline, plain data is limited to the window; packets, which are twice as large as their
// payload, are always moved whole.
template <bool Packets, uint64 WithHalf, class B>
__device__ __forceinline__ void putThroughPort(B& block, uint32 at) {
    constexpr uint64 kOffset = (1ull << 62) - 1;
    if (threadIdx.x != 0 || block.leaving()) {
        return;
    }
    const PortRing& ring = *(const PortRing*)block.word(at + 1);
    uint32 semaphore = (uint32)block.word(at + 2);
    uint64 ids = block.word(at + 3);
    uint64 halves[2] = {0, 0};
    uint32 half = at + 4;
#pragma unroll
    for (int k = 0; k < 2; k++) {
        if ((WithHalf >> k & 1) != 0) {
            halves[k] = block.secondHalf() ? block.word(half) : 0;
            half++;
        }
    }
    uint64 where = block.word(at);
    uint32 runs = (uint32)(where >> 32);
    uint32 run = (uint32)where;
    for (uint32 i = 0; i < runs; i++, run += 4) {
        uint64 start = block.tableWord(run);
        uint64 from = 0;
        uint64 to = block.tableWord(run + 1);
        if (!Packets) {
            if (block.windowEnd() <= start) {
                break;
            }
            from = block.windowStart() > start ? block.windowStart() - start : 0;
            to = block.windowEnd() - start < to ? block.windowEnd() - start : to;
        }
        uint64 source = block.tableWord(run + 2);
        uint64 destination = block.tableWord(run + 3);
        if (from >= to || source == 0 || destination == 0) {
            continue; // padding
        }
        uint64 sourceShift = halves[0] + (source >= kWithRound ? block.roundShift() : 0);
        uint64 destinationShift = halves[1] + (destination >= kWithRound ? block.roundShift() : 0);
        uint64 scale = Packets ? 2 : 1;
        if (!pushCopy(ring, semaphore, (uint32)ids, (source & kOffset) + sourceShift + scale * from, (uint32)(ids >> 32),
                      (destination & kOffset) + destinationShift + scale * from, scale * (to - from), block.abortWord())) {
            block.leave();
            return;
        }
    }
}

// Signals, flushes, or both. Two words: the ring's address, and the semaphore's id. Waits for the flush.
template <uint32 Type, class B>
__device__ __forceinline__ void triggerPort(B& block, uint32 at) {
    if (threadIdx.x != 0 || block.leaving()) {
        return;
    }
    const PortRing& ring = *(const PortRing*)block.word(at);
    uint32 semaphore = (uint32)block.word(at + 1);
    int64 position = push(ring, 0, triggerWord1(0, 0, 0, Type, semaphore), block.abortWord());
    if (position < 0 || ((Type & kTriggerFlush) != 0 && !awaitFlush(ring, semaphore, position, block.abortWord()))) {
        block.leave();
    }
}

} // namespace mscclj
