// When blocks began and ended each of their operations. Only kernels that were compiled to be traced have any of this.
//
// A block's operation has one word in front of its own in the table: a number that the host gave its kind, and above that how many bytes it moves.
#pragma once
#include "mscclj/block.cuh"
#include "mscclj/clock.cuh"

namespace mscclj {

struct TraceEvent {
    uint64 began;         // by the device's clock
    uint64 ended;
    uint64 operation;     // as in the table, but the bytes are those of this turn of a pipeline
    uint64 launch;        // the block's packet flag: launches of messages have different blocks, so of these it counts those with this block
};

// The last events of one block, which alone writes them; the events lie behind this.
struct TraceRing {
    uint64 added;         // how many there have ever been
    uint64 capacity;      // how many are kept
    uint64 spare;
    uint64 spareToo;
};

static_assert(sizeof(TraceEvent) == 32 && sizeof(TraceRing) == 32, "as the host has it");

constexpr int kOperationBits = 16;

// Adds an event to the ring of a block. To be called by the block's first thread.
//
// operation: the number that the host gave its kind
template <class B>
__device__ __forceinline__ void addEvent(const B& block, uint64 began, uint64 ended, uint64 operation, uint64 bytes) {
    TraceRing* ring = (TraceRing*)block.trace();
    TraceEvent* events = (TraceEvent*)(ring + 1);
    events[ring->added % ring->capacity] = {began, ended, operation | bytes << kOperationBits, block.flag()};
    ring->added++;
}

// An operation from here to the end of the scope, as the block's first thread goes through it. Not kept if the block leaves in it.
template <class B>
class Traced {
public:
    __device__ __forceinline__ Traced(const B& block, uint32 at)
        : block_(block), at_(at), start_(threadIdx.x == 0 ? deviceNanos() : 0) {}

    __device__ __forceinline__ ~Traced() {
        if (threadIdx.x == 0 && !block_.leaving()) {
            const uint64 ended = deviceNanos(); // before anything that is only for the trace
            uint64 word = block_.word(at_);
            uint64 all = word >> kOperationBits;
            uint64 first = min(all, block_.windowStart());
            addEvent(block_, start_, ended, word & ((1ull << kOperationBits) - 1), min(all, block_.windowEnd()) - first);
        }
    }

    Traced(const Traced&) = delete;
    Traced& operator=(const Traced&) = delete;

private:
    const B& block_;
    const uint32 at_;
    const uint64 start_;
};

} // namespace mscclj
