// Moves by switch channels: sources and destinations are the memory of all members of a group. With a multicast address
// a switch reduces and stores. Without one, or where the hardware lacks a reduction, and at the ends of ranges that are
// not whole units, every member is loaded or stored. The moves are those of move.cuh and packetmove.cuh otherwise.
//
// Runs have one or two words more, behind those of the operands: the multicast address of the sources, if they are a
// group, and that of the destinations; 0 if there is none.
//
// Accesses by multicast addresses and by others are aliases, so threads fence on both sides of them: what was stored
// plainly before is reduced, and what a switch has stored is loaded plainly afterwards.
#pragma once
#include "mscclj/move.cuh"
#include "mscclj/packetmove.cuh"

namespace mscclj {

// Where a reduction is by loads of every member.
struct NoSwitchReduction {
    static constexpr bool kExists = false;
    using Unit = Words4;
};

// A multicast address of a run, for operands that begin with `operand`.
template <uint64 WithHalf, int Count, class B>
__device__ __forceinline__ uint64 groupAddress(const B& block, uint32 at, uint32 word, int operand) {
    const uint64 address = block.tableWord(word);
    return address == 0 ? 0
                        : (address & ~kWithRound) + (address >= kWithRound ? block.roundShift() : 0)
                              + Operands<Count, WithHalf>::half(block, at, operand);
}

// One unit of the result, or zero if it is not wanted.
template <class B, class Reduction, class Unit, int S, int Count>
__device__ __forceinline__ Unit loadOfGroup(bool wanted, const Addresses<Count>& operands, uint64 source, uint64 offset) {
    if constexpr (Reduction::kExists) {
        return Reduction::loadIf(wanted, source + offset);
    } else if constexpr (S == 1) {
        return loadIf<Unit>(wanted, operands.at[0] + offset);
    } else {
        constexpr int kUnrolled = S <= 16 ? S : 8;
        Accumulator<typename B::Element, typename B::Operator, Unit> sum;
        sum.start(loadIf<Unit>(wanted, operands.at[0] + offset));
#pragma unroll kUnrolled
        for (int s = 1; s < S; s++) {
            sum.add(loadIf<Unit>(wanted, operands.at[s] + offset));
        }
        return sum.result();
    }
}

// A range of whole units, which are stored by a switch.
template <class B, class Reduction, int S, int Count>
__device__ __forceinline__ void moveUnits(const Addresses<Count>& operands, uint64 source, uint64 destination, uint64 from,
                                          uint64 to) {
    using Unit = typename Reduction::Unit;
    constexpr int kUnits = Reduction::kExists || S == 1 ? 4 : 1;
    const uint32 stride = blockDim.x * (uint32)sizeof(Unit);
    for (uint64 base = from + threadIdx.x * (uint32)sizeof(Unit); base < to; base += kUnits * stride) {
        const uint32 left = to - base < kUnits * stride ? (uint32)(to - base) : kUnits * stride;
        Unit units[kUnits];
#pragma unroll
        for (int u = 0; u < kUnits; u++) {
            units[u] = loadOfGroup<B, Reduction, Unit, S>(u * stride < left, operands, source, base + u * stride);
        }
#pragma unroll
        for (int u = 0; u < kUnits; u++) {
            if (u * stride < left) {
                multicastStore(destination + base + u * stride, units[u]);
            }
        }
    }
}

// A range of every operand, with a multicast address of the destinations, and of the sources if the switch reduces.
template <class B, class Reduction, int S, int D>
__device__ __forceinline__ void moveByGroup(const Addresses<S + D>& operands, uint64 source, uint64 destination,
                                            uint64 from, uint64 to) {
    using Unit = typename Reduction::Unit;
    fenceAliases();
    const uint64 different = (operands.at[0] ^ destination) | (Reduction::kExists ? source ^ destination : 0);
    const uint64 head = (0 - (destination + from)) & (sizeof(Unit) - 1);
    uint64 body = to;
    uint64 bodyEnd = to;
    if (!operands.anyPadding() && operands.alignedAlike(sizeof(Unit)) && (different & (sizeof(Unit) - 1)) == 0
        && head < to - from) {
        body = from + head;
        bodyEnd = body + ((to - body) & ~(uint64)(sizeof(Unit) - 1));
        moveUnits<B, Reduction, S>(operands, source, destination, body, bodyEnd);
    }
#pragma unroll 1
    for (int end = 0; end < 2; end++) {
        const uint64 first = end == 0 ? from : bodyEnd;
        const uint64 last = end == 0 ? body : to;
        if (first < last) {
            moveApart<B, S, D>(operands, first, last);
        }
    }
    fenceAliases();
}

// A move whose destinations are a group, and whose S sources are a group if FromGroup says so. Reduction: what the
// switch does for the type and the operation of the block.
template <class Reduction, bool FromGroup, int S, int D, uint64 WithHalf, class B>
__device__ __forceinline__ void moveBySwitch(B& block, uint32 at) {
    if (block.leaving()) {
        return;
    }
    constexpr int kGroups = FromGroup ? 2 : 1;
    uint64 where = block.word(at);
    uint32 runs = (uint32)(where >> 32);
    uint32 run = (uint32)where;
    for (uint32 i = 0; i < runs; i++, run += 2 + S + D + kGroups) {
        uint64 start = block.tableWord(run);
        uint64 length = block.tableWord(run + 1);
        uint64 from = block.windowStart() > start ? block.windowStart() - start : 0;
        uint64 to = block.windowEnd() - start < length ? block.windowEnd() - start : length;
        if (block.windowEnd() <= start || from >= to) {
            continue;
        }
        const uint32 groups = run + 2 + S + D;
        const Addresses<S + D> operands = Operands<S + D, WithHalf>::addresses(block, at, run + 2);
        const uint64 source = FromGroup ? groupAddress<WithHalf, S + D>(block, at, groups, 0) : 0;
        const uint64 destination = groupAddress<WithHalf, S + D>(block, at, groups + kGroups - 1, S);
        if (destination != 0 && (source != 0 || !Reduction::kExists)) {
            moveByGroup<B, Reduction, S, D>(operands, source, destination, from, to);
        } else {
            moveRange<B, S, D>(operands, from, to);
        }
    }
}

// Stores packets in all members of a group. Both formats take two stores for a packet, each of a pair of data and flag:
// only accesses of up to eight bytes are sure to arrive as a whole.
template <uint64 WithHalf, int First>
struct StoresAll {
    static constexpr int kWords = 1;

    template <class B, int Count>
    __device__ __forceinline__ StoresAll(const B& block, const Addresses<Count>& operands, uint32 at, uint32 word)
        : each_(block, operands, at, word), address_(groupAddress<WithHalf, Count>(block, at, word, First)) {}

    template <PacketType Type, int D>
    __device__ __forceinline__ void store(const uint64* addresses, uint64 offset, Words2 data, uint32 flag) const {
        if (address_ == 0) {
            each_.template store<Type, D>(addresses, offset, data, flag);
        } else {
            multicastStore(address_ + offset, Words2{data.x, flag});
            multicastStore(address_ + offset + 8, Words2{data.y, flag});
        }
    }

private:
    StoresEach each_;
    uint64 address_;
};

// A move of the rank's own packets to the packets of a group.
template <int D, uint64 WithHalf, class B>
__device__ __forceinline__ void packetsBySwitch(B& block, uint32 at) {
    movePackets<false, 1, false, D, WithHalf, false, StoresAll<WithHalf, 1>>(block, at);
    fenceAliases();
}

} // namespace mscclj
