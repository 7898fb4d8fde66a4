// Runs: the pieces of a move in which every operand is contiguous, or all padding.
//
// A move has one word for where its runs are (how many, high half; the table's word of the first, low half), and one more for each operand in double
// scratch: the distance of the halves, in bytes. A run has a word for where it starts in the move's own range, one for its length, both in bytes of
// payload, and one for each operand: its address; 0 if it is padding, which reads as zero and swallows writes.
#pragma once
#include "mscclj/block.cuh"

namespace mscclj {

// What is known of the operands of a move when it is compiled. Bit k of the masks speaks of operand k: WithRound ones lie in input or output, whose
// addresses move with the round; WithHalf ones lie in double scratch.
template <int OperandCount, uint64 WithRound, uint64 WithHalf>
struct Operands {
    static constexpr int kCount = OperandCount;

    uint64 addresses[OperandCount];

    // What is added to the address of an operand in this launch.
    template <class B>
    __device__ __forceinline__ static uint64 shift(const B& block, uint32 at, int operand) {
        uint64 shift = (WithRound >> operand & 1) != 0 ? block.roundShift() : 0;
        if ((WithHalf >> operand & 1) != 0 && block.secondHalf()) {
            int before = __popcll(WithHalf & ((1ull << operand) - 1));
            shift = block.word(at + 1 + before);
        }
        return shift;
    }

    // Words of a move.
    static constexpr uint32 words() {
        uint32 count = 1;
        for (int i = 0; i < OperandCount; i++) {
            count += WithHalf >> i & 1;
        }
        return count;
    }

    // Whether an operand is padding.
    __device__ __forceinline__ bool anyPadding() const {
        bool any = false;
#pragma unroll
        for (int i = 0; i < OperandCount; i++) {
            any |= addresses[i] == 0;
        }
        return any;
    }

    // Whether all addresses have the same distance from the multiple of `alignment` before them.
    __device__ __forceinline__ bool alignedAlike(uint32 alignment) const {
        uint64 differences = 0;
#pragma unroll
        for (int i = 1; i < OperandCount; i++) {
            differences |= addresses[i] ^ addresses[0];
        }
        return (differences & (alignment - 1)) == 0;
    }
};

} // namespace mscclj
