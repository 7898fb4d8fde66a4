// Moves of plain data: S sources are combined, in order, and the result is stored in D destinations. With one source the bits are copied as they are.
// Operands are the sources, then the destinations.
#pragma once
#include "mscclj/run.cuh"

namespace mscclj {

// How many vectors of 16 bytes a thread has in flight for each source: enough to hide the latency of a peer's memory, few enough for the registers.
template <int S>
struct InFlight {
    static constexpr int kVectors = S == 1 ? 8 : S == 2 ? 4 : S <= 4 ? 2 : 1;
};

// The result for the `Raw` at an offset. Sources that are padding read as zero where MayPad says that there may be some.
template <class B, class Raw, int S, bool MayPad, class O>
__device__ __forceinline__ Raw combineAt(const O& operands, uint64 offset) {
    auto load = [&](int source) -> Raw {
        if (MayPad && operands.addresses[source] == 0) {
            return Raw{};
        }
        return *(const volatile Raw*)(operands.addresses[source] + offset);
    };
    if constexpr (S == 1) {
        return load(0);
    } else {
        Accumulator<typename B::Element, typename B::Operator, Raw> accumulator;
        accumulator.start(load(0));
#pragma unroll (S <= 16 ? S : 4)
        for (int s = 1; s < S; s++) {
            accumulator.add(load(s));
        }
        return accumulator.result();
    }
}

// One element at a time: what is not aligned alike, what is padding, and what is left at the ends.
template <class B, int S, int D, class O>
__device__ __forceinline__ void moveElements(const O& operands, uint64 from, uint64 to) {
    using Stored = typename B::Element::Stored;
    for (uint64 at = from + threadIdx.x * sizeof(Stored); at < to; at += blockDim.x * sizeof(Stored)) {
        Stored result = combineAt<B, Stored, S, true>(operands, at);
#pragma unroll
        for (int d = 0; d < D; d++) {
            if (operands.addresses[S + d] != 0) {
                *(volatile Stored*)(operands.addresses[S + d] + at) = result;
            }
        }
    }
}

// What is aligned alike, a vector at a time. Loads of what lies behind the end are left out, not branched around, so that those of a short run are all
// under way at once too.
template <class B, class Raw, int S, int D, class O>
__device__ __forceinline__ void moveVectors(const O& operands, uint64 from, uint64 to) {
    constexpr int kVectors = InFlight<S>::kVectors;
    constexpr int kLoaded = S <= 4 ? S : 1;
    using Sum = Accumulator<typename B::Element, typename B::Operator, Raw>;
    const uint32 stride = blockDim.x * (uint32)sizeof(Raw);
    for (uint64 base = from + threadIdx.x * (uint32)sizeof(Raw); base < to; base += kVectors * stride) {
        const uint32 left = to - base < kVectors * stride ? (uint32)(to - base) : kVectors * stride;
        Raw loaded[kVectors][kLoaded];
#pragma unroll
        for (int v = 0; v < kVectors; v++) {
#pragma unroll
            for (int s = 0; s < kLoaded; s++) {
                loaded[v][s] = loadIf<Raw>(v * stride < left, operands.addresses[s] + base + v * stride);
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
#pragma unroll (S <= 16 ? S : 8)
                for (int s = kLoaded; s < S; s++) {
                    sum.add(loadIf<Raw>(true, operands.addresses[s] + base + v * stride));
                }
                result = sum.result();
            }
#pragma unroll
            for (int d = 0; d < D; d++) {
                store(operands.addresses[S + d] + base + v * stride, result);
            }
        }
    }
}

// A range of which all operands have the same distance from a multiple of the vector's size.
template <class B, class Raw, int S, int D, class O>
__device__ __forceinline__ void moveAligned(const O& operands, uint64 from, uint64 to) {
    uint64 misaligned = (operands.addresses[0] + from) & (sizeof(Raw) - 1);
    uint64 body = misaligned == 0 ? from : from + sizeof(Raw) - misaligned;
    if (body >= to) {
        moveElements<B, S, D>(operands, from, to);
        return;
    }
    uint64 bodyEnd = body + ((to - body) & ~(uint64)(sizeof(Raw) - 1));
    if (from < body) {
        moveElements<B, S, D>(operands, from, body);
    }
    moveVectors<B, Raw, S, D>(operands, body, bodyEnd);
    if (bodyEnd < to) {
        moveElements<B, S, D>(operands, bodyEnd, to);
    }
}

// A move. Within a pipeline it handles the part of its range that the window shows.
template <int S, int D, uint64 WithRound, uint64 WithHalf, class B>
__device__ __forceinline__ void move(B& block, uint32 at) {
    using O = Operands<S + D, WithRound, WithHalf>;
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
        O operands;
#pragma unroll
        for (int k = 0; k < S + D; k++) {
            uint64 address = block.tableWord(run + 2 + k);
            operands.addresses[k] = address == 0 ? 0 : address + O::shift(block, at, k);
        }
        if (!operands.anyPadding() && operands.alignedAlike(16)) {
            moveAligned<B, Words4, S, D>(operands, from, to);
        } else {
            moveElements<B, S, D>(operands, from, to);
        }
    }
}

} // namespace mscclj
