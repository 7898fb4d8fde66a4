// Runs: the pieces of a move in which every operand is contiguous, or all padding.
//
// A move has one word for its runs (number in the high half, index of the first in the low half), and one more for each
// operand in double scratch: the distance of the halves, in bytes. A run has a word for its start in the move's own
// range, one for its length, both in bytes of payload, and one for each operand: its address; 0 if it is padding, which
// reads as zero and ignores writes. Bit 63 marks addresses in input or output, which are relative to the round.
#pragma once
#include "mscclj/block.cuh"

namespace mscclj {

constexpr uint64 kWithRound = 1ull << 63;

// The addresses of the operands of a run.
template <int Count>
struct Addresses {
    uint64 at[Count];

    // Whether an operand is padding.
    __device__ __forceinline__ bool anyPadding() const {
        bool any = false;
#pragma unroll
        for (int i = 0; i < Count; i++) {
            any |= at[i] == 0;
        }
        return any;
    }

    // Whether all addresses have equal distances from the multiple of `alignment` before them.
    __device__ __forceinline__ bool alignedAlike(uint32 alignment) const {
        uint64 differences = 0;
#pragma unroll
        for (int i = 1; i < Count; i++) {
            differences |= at[i] ^ at[0];
        }
        return (differences & (alignment - 1)) == 0;
    }
};

// The properties of a move's operands that are known at compile time. Bit k of WithHalf says that operand k is in
// double scratch.
template <int Count, uint64 WithHalf>
struct Operands {
    // The addresses in this launch. The move's words start at `at`, those of the run's addresses at `words` in the
    // table.
    template <class B>
    __device__ __forceinline__ static Addresses<Count> addresses(const B& block, uint32 at, uint32 words) {
        Addresses<Count> addresses;
#pragma unroll
        for (int k = 0; k < Count; k++) {
            uint64 word = block.tableWord(words + k);
            uint64 address = (word & ~kWithRound) + (word >= kWithRound ? block.roundShift() : 0);
            addresses.at[k] = word == 0 ? 0 : address + half(block, at, k);
        }
        return addresses;
    }

    // Offset of an operand's address if the second half of scratch is in use.
    template <class B>
    __device__ __forceinline__ static uint64 half(const B& block, uint32 at, int operand) {
        if ((WithHalf >> operand & 1) == 0 || !block.secondHalf()) {
            return 0;
        }
        int before = __popcll(WithHalf & ((1ull << operand) - 1));
        return block.word(at + 1 + before);
    }
};

} // namespace mscclj
