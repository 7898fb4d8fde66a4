// Moves of plain data: S sources are reduced, in order, and the result is stored in D destinations. With one source,
// the bits are copied unchanged. Operands are the sources, then the destinations.
#pragma once
#include "mscclj/memory.cuh"
#include "mscclj/reduce.cuh"
#include "mscclj/run.cuh"

namespace mscclj {

// Number of 16-byte vectors that a thread has in flight for each source: enough to hide the latency of a peer's memory,
// few enough for the registers.
template <int S>
struct InFlight {
    static constexpr int kVectors = S == 1 ? 8 : S == 2 ? 4 : S <= 4 ? 2 : 1;
};

// A range of whole `Raw` values at aligned addresses. Loads beyond the end are predicated, not branched around, so that
// the loads of a short run are also in flight together. Padding reads as zero and ignores writes, where MayPad allows
// for padding.
template <class B, class Raw, int S, int D, bool MayPad>
__device__ __forceinline__ void moveVectors(const Addresses<S + D>& operands, uint64 from, uint64 to) {
    constexpr int kVectors = sizeof(Raw) == 16 ? InFlight<S>::kVectors : (InFlight<S>::kVectors + 1) / 2;
    constexpr int kLoaded = S <= 4 ? S : 1;
    constexpr int kUnrolled = S <= 16 ? S : 8;
    using Sum = Accumulator<typename B::Element, typename B::Operator, Raw>;
    auto isThere = [&](int operand) -> bool { return !MayPad || operands.at[operand] != 0; };
    const uint32 stride = blockDim.x * (uint32)sizeof(Raw);
    for (uint64 base = from + threadIdx.x * (uint32)sizeof(Raw); base < to; base += kVectors * stride) {
        const uint32 left = to - base < kVectors * stride ? (uint32)(to - base) : kVectors * stride;
        Raw loaded[kVectors][kLoaded];
#pragma unroll
        for (int v = 0; v < kVectors; v++) {
#pragma unroll
            for (int s = 0; s < kLoaded; s++) {
                loaded[v][s] = loadIf<Raw>(isThere(s) && v * stride < left, operands.at[s] + base + v * stride);
            }
        }
#pragma unroll
        for (int v = 0; v < kVectors; v++) {
            if (v * stride >= left) {
                break;
            }
            Raw result = loaded[v][0];
            if constexpr (S > 1) {
                Sum sum;
                sum.start(result);
#pragma unroll
                for (int s = 1; s < kLoaded; s++) {
                    sum.add(loaded[v][s]);
                }
#pragma unroll kUnrolled
                for (int s = kLoaded; s < S; s++) {
                    sum.add(loadIf<Raw>(isThere(s), operands.at[s] + base + v * stride));
                }
                result = sum.result();
            }
#pragma unroll
            for (int d = 0; d < D; d++) {
                if (isThere(S + d)) {
                    storeUnit<Raw>(operands.at[S + d] + base + v * stride, result);
                }
            }
        }
    }
}

// The parts of a range that 16-byte vectors cannot handle: operands with unequal alignment, padding, and remainders at
// the ends. Not inlined, as it would be most of a kernel's code; operands are passed by value, so that those of the
// caller can stay in registers.
template <class B, int S, int D>
static __device__ __noinline__ void moveApart(Addresses<S + D> operands, uint64 from, uint64 to) {
    using Stored = typename B::Element::Stored;
    uint64 body = to;
    uint64 bodyEnd = to;
    if constexpr (sizeof(Stored) < sizeof(uint32)) {
        if (!operands.anyPadding() && operands.alignedAlike(sizeof(uint32))) {
            uint64 head = (0 - (operands.at[0] + from)) & (sizeof(uint32) - 1);
            if (head < to - from) {
                body = from + head;
                bodyEnd = body + ((to - body) & ~(uint64)(sizeof(uint32) - 1));
                moveVectors<B, uint32, S, D, false>(operands, body, bodyEnd);
            }
        }
    }
#pragma unroll 1
    for (int end = 0; end < 2; end++) {
        moveVectors<B, Stored, S, D, true>(operands, end == 0 ? from : bodyEnd, end == 0 ? body : to);
    }
}

// A range of every operand.
template <class B, int S, int D>
__device__ __forceinline__ void moveRange(const Addresses<S + D>& operands, uint64 from, uint64 to) {
    uint64 body = to;
    uint64 bodyEnd = to;
    if (!operands.anyPadding() && operands.alignedAlike(sizeof(Words4))) {
        uint64 head = (0 - (operands.at[0] + from)) & (sizeof(Words4) - 1);
        if (head < to - from) {
            body = from + head;
            bodyEnd = body + ((to - body) & ~(uint64)(sizeof(Words4) - 1));
            moveVectors<B, Words4, S, D, false>(operands, body, bodyEnd);
        }
    }
    if (from < body) {
        moveApart<B, S, D>(operands, from, body);
    }
    if (bodyEnd < to) {
        moveApart<B, S, D>(operands, bodyEnd, to);
    }
}

// A move. Within a pipeline, it handles the part of its range in the current window.
template <int S, int D, uint64 WithHalf, class B>
__device__ __forceinline__ void move(B& block, uint32 at) {
    if (block.leaving()) {
        return;
    }
    uint64 where = block.word(at);
    uint32 runs = (uint32)(where >> 32);
    uint32 run = (uint32)where;
    for (uint32 i = 0; i < runs; i++, run += 2 + S + D) {
        uint64 start = block.tableWord(run);
        uint64 length = block.tableWord(run + 1);
        uint64 from = block.windowStart() > start ? block.windowStart() - start : 0;
        uint64 to = block.windowEnd() - start < length ? block.windowEnd() - start : length;
        if (block.windowEnd() <= start || from >= to) {
            continue;
        }
        moveRange<B, S, D>(Operands<S + D, WithHalf>::addresses(block, at, run + 2), from, to);
    }
}

} // namespace mscclj
