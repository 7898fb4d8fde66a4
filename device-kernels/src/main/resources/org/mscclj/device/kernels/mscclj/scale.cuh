// Averages and premultiplied sums: elements become addends before a plan computes their sum, and sums become elements when it has. Scaling.java says what is
// computed; both compute it alike.
#pragma once
#include "mscclj/element.cuh"
#include "mscclj/launch.cuh"

namespace mscclj {

struct ScaleArguments {
    uint64 from;           // elements, or sums
    uint64 to;             // addends, or elements
    uint64 elements;       // how many elements there are
    double factor;         // what floating-point elements are multiplied by, or sums are divided by
    uint64 multiple;       // what integers are multiplied by; the number of ranks for their averages
    uint64* finished;
    uint64 number;
    const BlockState* state; // of the plan's first block
    uint64 factorAddress;    // of an element that elements are multiplied by; 0: by the factor or the multiple
    uint64* running;         // as a LaunchHeader has it
    uint32* abortWord;       // the same
    uint64* scaling;         // not 0 while kernels of this plan are at work here: see scale
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

__device__ __forceinline__ float product(float a, float b) { return __fmul_rn(a, b); }
__device__ __forceinline__ double product(double a, double b) { return __dmul_rn(a, b); }
__device__ __forceinline__ float quotient(float a, float b) { return __fdiv_rn(a, b); }
__device__ __forceinline__ double quotient(double a, double b) { return __ddiv_rn(a, b); }

template <class Element>
__device__ __forceinline__ typename Element::Stored elementAt(uint64 address, uint64 i) {
    return ((volatile const typename Element::Stored*)address)[i];
}

template <class Element>
__device__ __forceinline__ void putElement(uint64 address, uint64 i, typename Element::Stored value) {
    ((volatile typename Element::Stored*)address)[i] = value;
}

// Floating point: elements are multiplied, and sums are divided. Both have one type to compute with.
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

// Averages of integers whose sum fits into more bits.
template <class Element, class Addend>
struct WideAddends {
    using Stored = typename Element::Stored;

    static __device__ __forceinline__ void contribute(const ScaleArguments& arguments, uint64 i) {
        putElement<Addend>(arguments.to, i, (typename Addend::Stored)elementAt<Element>(arguments.from, i));
    }

    static __device__ __forceinline__ void finish(const ScaleArguments& arguments, uint64 i) {
        int64 sum = (int64)elementAt<Addend>(arguments.from, i); // below 2^63: there are fewer than 2^31 ranks
        putElement<Element>(arguments.to, i, (Stored)(sum / (int64)arguments.multiple));
    }
};

// Averages of integers of 64 bits: the quotient by the number of ranks, rounded down, and the element. The remainders add up to less than the square of that number,
// so that what is known of them modulo 2^64 is all of it.
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

// The first or the last kernel of a launch, which is at work until all of these blocks are done: so it says that a launch is at work, as the kernels of the plan between
// them do, and makes the communicator's end known if it finds that another one is.
//
// The word that tells the host of it is a sum, to which kernels that overlap may add in any order. The first block adds the number of blocks, and each takes one away
// when it is done, so that a kernel's part is 0 before it and after it, and in between not. Each other block adds what no such count reaches while it is at work: so one
// that runs before the first is seen too, and says so before it looks whether the plan was left. Whoever makes the sum 0 says that no launch is at work: adding acquires
// what the other blocks have released. All blocks take part, also if some find that the plan was left, and others did not yet.
// Addends: how elements and addends are turned into each other
// Contributes: whether elements become addends; else sums become elements
template <class Addends, bool Contributes>
__device__ __forceinline__ void scale(const ScaleArguments& arguments) {
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
    if (arguments.number != 0) { // behind that: whoever has seen all of these words may launch on
        storeReleaseSystem(arguments.finished + blockIdx.x, arguments.number);
    }
}

} // namespace mscclj
