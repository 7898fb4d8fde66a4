// Averages and premultiplied sums: elements become addends before a plan computes their sum, and sums become elements
// afterwards. Scaling.java defines the computation, which is the same on the host.
#pragma once
#include "mscclj/element.cuh"
#include "mscclj/launch.cuh"

namespace mscclj {

struct ScaleArguments {
    uint64 from;           // address of elements, or of sums
    uint64 to;             // address of addends, or of elements
    uint64 elements;       // number of elements
    double factor;         // factor of floating-point elements, or divisor of sums
    uint64 multiple;       // factor of integers; the number of ranks for averages
    uint64* finished;
    uint64 number;
    const BlockState* state; // state of the first block of the plan
    uint64 factorAddress;    // address of the factor as an element; 0 if `factor` or `multiple` applies
    uint64* running;         // as in LaunchHeader
    uint32* abortWord;       // as in LaunchHeader
    uint64* scaling;         // not 0 while scaling kernels of this plan run here: see scale
};

static_assert(sizeof(ScaleArguments) == 96, "as the host has it");

// Adds to a word, and returns the sum.
__device__ __forceinline__ uint64 addDevice(uint64* address, uint64 value) {
    return fetchAddDevice(address, value) + value;
}

// The factor of the elements, exactly as stored.
template <class Element>
__device__ __forceinline__ typename Element::Number factorInMemory(const ScaleArguments& arguments) {
    return Element::widen(*(volatile const typename Element::Stored*)arguments.factorAddress);
}

__device__ __forceinline__ float product(float a, float b) { return __fmul_rn(a, b); }
__device__ __forceinline__ double product(double a, double b) { return __dmul_rn(a, b); }
__device__ __forceinline__ float quotient(float a, float b) { return __fdiv_rn(a, b); }
__device__ __forceinline__ double quotient(double a, double b) { return __ddiv_rn(a, b); }

template <class Element>
__device__ __forceinline__ typename Element::Stored elementAt(uint64 address, uint64 i) {
    return loadSmall<typename Element::Stored>((uint64)((const typename Element::Stored*)address + i));
}

template <class Element>
__device__ __forceinline__ void putElement(uint64 address, uint64 i, typename Element::Stored value) {
    storeSmall((uint64)((typename Element::Stored*)address + i), value);
}

// Floating point: elements are multiplied, and sums are divided. Both are computed in one type.
template <class Element, class Addend>
struct FloatAddends {
    using Number = typename Element::Number;

    static __device__ __forceinline__ void contribute(const ScaleArguments& arguments, uint64 i) {
        Number factor = arguments.factorAddress != 0 ? factorInMemory<Element>(arguments) : (Number)arguments.factor;
        Number element = Element::widen(elementAt<Element>(arguments.from, i));
        putElement<Addend>(arguments.to, i, Addend::narrow(product(element, factor)));
    }

    static __device__ __forceinline__ void finish(const ScaleArguments& arguments, uint64 i) {
        Number sum = Addend::widen(elementAt<Addend>(arguments.from, i));
        putElement<Element>(arguments.to, i, Element::narrow(quotient(sum, (Number)arguments.factor)));
    }
};

// Premultiplied sums of integers, which wrap.
template <class Element>
struct MultipliedAddends {
    using Stored = typename Element::Stored;

    static __device__ __forceinline__ void contribute(const ScaleArguments& arguments, uint64 i) {
        uint64 multiple = arguments.factorAddress != 0 ? (uint64)factorInMemory<Element>(arguments) : arguments.multiple;
        putElement<Element>(arguments.to, i, (Stored)((uint64)elementAt<Element>(arguments.from, i) * multiple));
    }

    static __device__ __forceinline__ void finish(const ScaleArguments& arguments, uint64 i) {
        putElement<Element>(arguments.to, i, elementAt<Element>(arguments.from, i));
    }
};

// Averages of integers whose sum fits into a wider type.
template <class Element, class Addend>
struct WideAddends {
    using Stored = typename Element::Stored;

    static __device__ __forceinline__ void contribute(const ScaleArguments& arguments, uint64 i) {
        putElement<Addend>(arguments.to, i, (typename Addend::Stored)elementAt<Element>(arguments.from, i));
    }

    static __device__ __forceinline__ void finish(const ScaleArguments& arguments, uint64 i) {
        int64 sum = (int64)elementAt<Addend>(arguments.from, i); // below 2^63, as there are fewer than 2^31 ranks
        putElement<Element>(arguments.to, i, (Stored)(sum / (int64)arguments.multiple));
    }
};

// Averages of 64-bit integers: the quotient by the number of ranks, rounded down, and the element. The remainders add
// up to less than the square of that number, so their sum modulo 2^64 determines them.
template <class Element>
struct PairedAddends {
    using Stored = typename Element::Stored;
    static constexpr bool kSigned = Stored(-1) < Stored(0);

    static __device__ __forceinline__ void contribute(const ScaleArguments& arguments, uint64 i) {
        Stored element = elementAt<Element>(arguments.from, i);
        Stored ranks = (Stored)arguments.multiple;
        Stored quotient = element / ranks;
        if (kSigned && element % ranks < Stored(0)) {
            quotient -= 1;
        }
        putElement<Element>(arguments.to, 2 * i, quotient);
        putElement<Element>(arguments.to, 2 * i + 1, element);
    }

    static __device__ __forceinline__ void finish(const ScaleArguments& arguments, uint64 i) {
        uint64 ranks = arguments.multiple;
        uint64 quotients = (uint64)elementAt<Element>(arguments.from, 2 * i);
        uint64 remainders = (uint64)elementAt<Element>(arguments.from, 2 * i + 1) - quotients * ranks;
        uint64 average = quotients + remainders / ranks;
        if (kSigned && (int64)average < 0 && remainders % ranks != 0) {
            average += 1; // toward zero
        }
        putElement<Element>(arguments.to, i, (Stored)average);
    }
};

// The first or the last kernel of a launch, which runs until all of its blocks are done. It marks that a launch runs,
// like the kernels of the plan between both, and ends the communicator if it detects a concurrent launch.
//
// The word with this mark is a sum to which overlapping kernels may add in any order. The first block adds the number
// of blocks, and each block subtracts one when it is done, so a kernel's contribution is 0 before and after it, and not
// 0 in between. Each other block adds a value that no such count reaches while it runs, so a block that runs before the
// first is also detected, and marks itself before it checks whether the plan was left. The block that makes the sum 0
// marks that no launch runs: its addition acquires what the other blocks released. All blocks take part, even if some
// of them find that the plan was left and others do not yet.
// Addends: conversion between elements and addends
// Contributes: whether elements become addends; otherwise sums become elements
template <class Addends, bool Contributes>
__device__ __forceinline__ void scale(const ScaleArguments& arguments) {
    const bool first = blockIdx.x == 0 && threadIdx.x == 0;
    const uint64 inside = blockIdx.x == 0 ? 0 : 1ull << 32;
    bool overlaps = false;
    if (threadIdx.x == 0) {
        addDevice(arguments.scaling, blockIdx.x == 0 ? gridDim.x : inside);
    }
    __syncthreads();
    if (arguments.state->left == 0) { // otherwise there is nothing to scale, and the memory may be freed
        if (first) {
            overlaps = exchangeDevice(arguments.running, 1) != 0;
        }
        uint64 step = (uint64)gridDim.x * blockDim.x;
        for (uint64 i = (uint64)blockIdx.x * blockDim.x + threadIdx.x; i < arguments.elements; i += step) {
            if constexpr (Contributes) {
                Addends::contribute(arguments, i);
            } else {
                Addends::finish(arguments, i);
            }
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
    if (arguments.number != 0) { // last, because the host may launch again after it has seen all of these words
        storeReleaseSystem(arguments.finished + blockIdx.x, arguments.number);
    }
}

} // namespace mscclj
