// Tracing of the operations of blocks: begin and end of each. Only kernels compiled with tracing include this.
//
// The words of a traced operation have one more word in front: a number that the host assigned to its kind, and above
// that the number of bytes moved.
#pragma once
#include "mscclj/block.cuh"
#include "mscclj/clock.cuh"

namespace mscclj {

struct TraceEvent {
    uint64 began;         // by the device's clock
    uint64 ended;
    uint64 operation;     // as in the table, but with the bytes of this iteration of a pipeline

    // The block's packet flag. Launches of point-to-point transfers have different numbers of blocks, so for these it
    // counts the launches with this block.
    uint64 launch;
};

// The last events of one block, which alone writes them; the events follow this header.
struct TraceRing {
    uint64 added;         // number of all events so far
    uint64 capacity;      // number of events kept
    uint64 spare;
    uint64 spareToo;
};

static_assert(sizeof(TraceEvent) == 32 && sizeof(TraceRing) == 32, "as the host has it");

constexpr int kOperationBits = 16;

// Adds an event to the ring of a block. Called by the block's first thread.
//
// operation: the number that the host assigned to its kind
template <class B>
__device__ __forceinline__ void addEvent(const B& block, uint64 began, uint64 ended, uint64 operation, uint64 bytes) {
    TraceRing* ring = (TraceRing*)block.trace();
    TraceEvent* events = (TraceEvent*)(ring + 1);
    events[ring->added % ring->capacity] = {began, ended, operation | bytes << kOperationBits, block.flag()};
    ring->added++;
}

// Traces an operation from here to the end of the scope, in the block's first thread. The event is dropped if the block
// leaves in it.
template <class B>
class Traced {
public:
    __device__ __forceinline__ Traced(const B& block, uint32 at)
        : block_(block), at_(at), start_(threadIdx.x == 0 ? deviceNanos() : 0) {}

    __device__ __forceinline__ ~Traced() {
        if (threadIdx.x == 0 && !block_.leaving()) {
            const uint64 ended = deviceNanos(); // before the accesses of the trace itself
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
