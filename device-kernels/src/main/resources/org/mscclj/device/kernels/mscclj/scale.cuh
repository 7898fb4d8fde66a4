// Scaling, which completes averages and premultiplied sums: each element is divided by a number, or multiplied by one, and rounded once more.
#pragma once
#include "mscclj/element.cuh"
#include "mscclj/launch.cuh"

namespace mscclj {

struct ScaleArguments {
    uint64 address;
    uint64 elements;
    uint64 divisor;  // 0: multiply
    double factor;   // for floating point
    uint64 multiple; // for integers
    uint64* finished;
    uint64 number;
    const BlockState* state; // of the plan's first block
    uint64 factorAddress;    // of an element that elements are multiplied by; 0: by the factor or the multiple
    uint64* running;         // as a LaunchHeader has it
    uint32* abortWord;       // the same
    uint64* scaling;         // not 0 while outputs of this plan are scaled: see scale
};

static_assert(sizeof(ScaleArguments) == 96, "as the host has it");

// Adds, and gives the sum.
__device__ __forceinline__ uint64 addDevice(uint64* address, uint64 value) {
    uint64 before;
    asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], %2;" : "=l"(before) : "l"(address), "l"(value) : "memory");
    return before + value;
}

// What elements are multiplied by, exactly as it is in memory.
template <class Element>
__device__ __forceinline__ typename Element::Number factorInMemory(const ScaleArguments& arguments) {
    return Element::widen(*(volatile const typename Element::Stored*)arguments.factorAddress);
}

template <class Element>
__device__ __forceinline__ typename Element::Stored scaled(typename Element::Stored stored, const ScaleArguments& arguments) {
    using Number = typename Element::Number;
    Number value = Element::widen(stored);
    const bool reads = arguments.factorAddress != 0;
    if constexpr (sizeof(Number) == 4 && Number(0.5f) != Number(0)) {
        float result = arguments.divisor != 0 ? __fdiv_rn(value, (float)(double)arguments.divisor)
                                              : __fmul_rn(value, reads ? (float)factorInMemory<Element>(arguments) : (float)arguments.factor);
        return Element::narrow(result);
    } else if constexpr (Number(0.5) != Number(0)) {
        double result = arguments.divisor != 0 ? __ddiv_rn(value, (double)arguments.divisor)
                                               : __dmul_rn(value, reads ? (double)factorInMemory<Element>(arguments) : arguments.factor);
        return Element::narrow(result);
    } else if constexpr (Number(-1) < Number(0)) {
        return (typename Element::Stored)(arguments.divisor != 0 ? (uint64)((int64)value / (int64)arguments.divisor)
                                                                 : (uint64)(int64)value * (reads ? (uint64)(int64)factorInMemory<Element>(arguments) : arguments.multiple));
    } else {
        return (typename Element::Stored)(arguments.divisor != 0 ? (uint64)value / arguments.divisor
                                                                 : (uint64)value * (reads ? (uint64)factorInMemory<Element>(arguments) : arguments.multiple));
    }
}

// The last kernel of a launch, which is at work until all of these blocks are done: so it says that a launch is at work, as the kernels of the plan before it did, and
// makes the communicator's end known if it finds that another one is.
//
// The word that tells the host of it is a sum, to which kernels that overlap may add in any order. The first block adds the number of blocks, and each takes one away
// when it is done, so that a kernel's part is 0 before it and after it, and in between not. Each other block adds what no such count reaches while it is at work: so one
// that runs before the first is seen too, and says so before it looks whether the plan was left. Whoever makes the sum 0 says that no launch is at work: adding acquires
// what the other blocks have released. All blocks take part, also if some find that the plan was left, and others did not yet.
template <class Element>
__device__ __forceinline__ void scale(const ScaleArguments& arguments) {
    using Stored = typename Element::Stored;
    const bool first = blockIdx.x == 0 && threadIdx.x == 0;
    const uint64 inside = blockIdx.x == 0 ? 0 : 1ull << 32;
    bool overlaps = false;
    if (threadIdx.x == 0) {
        addDevice(arguments.scaling, blockIdx.x == 0 ? gridDim.x : inside);
    }
    __syncthreads();
    if (arguments.state->left == 0) { // otherwise there is nothing to scale, and perhaps no memory any more
        if (first) {
            overlaps = exchangeDevice(arguments.running, 1) != 0;
        }
        volatile Stored* output = (volatile Stored*)arguments.address;
        uint64 step = (uint64)gridDim.x * blockDim.x;
        for (uint64 i = (uint64)blockIdx.x * blockDim.x + threadIdx.x; i < arguments.elements; i += step) {
            output[i] = scaled<Element>(output[i], arguments);
        }
        if (overlaps) {
            storeRelaxedSystem(arguments.abortWord, kOverlap);
        }
    }
    __syncthreads();
    if (threadIdx.x != 0) {
        return;
    }
    if (addDevice(arguments.scaling, 0 - inside - 1) == 0) {
        storeRelaxedSystem(arguments.running, 0);
    }
    if (arguments.number != 0) { // behind that: whoever has seen all of these words may launch on
        storeReleaseSystem(arguments.finished + blockIdx.x, arguments.number);
    }
}

} // namespace mscclj
