// Tracing of the parts of messages of blocks: begin and end of each. Only kernels compiled with tracing include this.
#pragma once
#include "mscclj/trace.cuh"
#include "mscclj/transfer.cuh"

namespace mscclj {

constexpr int kNameShift = 16;
constexpr uint64 kNameMask = 0xffff;

// Bytes of a part: for a message, those of each kLanes-th chunk from its first one on.
template <class B>
__device__ __forceinline__ uint64 partBytes(const B& block, uint32 part) {
    const uint64 bytes = block.word(part + kBytes);
    const uint64 kind = block.word(part + kKind) & kKindMask;
    if (kind != kSend && kind != kReceive) {
        return bytes;
    }
    const uint64 lanes = block.tableWord(gridDim.x + kLanes);
    const uint64 payload = block.tableWord(gridDim.x + kSlotBytes) - kSlotHeader;
    const uint64 first = block.word(part + kFirst);
    const uint64 full = bytes / payload;
    const uint64 own = full > first ? (full - first + lanes - 1) / lanes : 0;
    const bool hasRest = full >= first && (full - first) % lanes == 0;
    return own * payload + (hasRest ? bytes % payload : 0);
}

// Traces a part from here to the end of the scope, in the block's first thread. The event is dropped if the block
// leaves in it.
template <class B>
class TracedPart {
public:
    __device__ __forceinline__ TracedPart(const B& block, uint32 part)
        : block_(block), part_(part), start_(threadIdx.x == 0 ? deviceNanos() : 0) {}

    __device__ __forceinline__ ~TracedPart() {
        if (threadIdx.x == 0 && !block_.leaving()) {
            const uint64 ended = deviceNanos(); // before the accesses of the trace itself
            addEvent(block_, start_, ended, block_.word(part_ + kKind) >> kNameShift & kNameMask, partBytes(block_, part_));
        }
    }

    TracedPart(const TracedPart&) = delete;
    TracedPart& operator=(const TracedPart&) = delete;

private:
    const B& block_;
    const uint32 part_;
    const uint64 start_;
};

} // namespace mscclj
