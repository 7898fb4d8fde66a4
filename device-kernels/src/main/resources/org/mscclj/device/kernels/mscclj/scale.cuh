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
    uint64* scaling;         // not 0 while outputs of this plan are scaled; then how many blocks have done their part
};

static_assert(sizeof(ScaleArguments) == 96, "as the host has it");

// Adds one, and gives the value before; of the last of so many it makes 0 again.
__device__ __forceinline__ uint32 countDevice(uint32* address, uint32 count) {
    uint32 before;
    asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(address), "r"(count - 1) : "memory");
    return before;
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
// makes the communicator's end known if it finds that another one is. Whoever counts last says that none is any more: the count acquires what the other blocks have
// released. All blocks count, also if some find that the plan was left, and others did not yet.
template <class Element>
__device__ __forceinline__ void scale(const ScaleArguments& arguments) {
    using Stored = typename Element::Stored;
    const bool first = blockIdx.x == 0 && threadIdx.x == 0;
    bool overlaps = false;
    if (first) {
        storeRelaxedSystem(arguments.scaling, 1);
    }
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
    if (gridDim.x == 1 || countDevice((uint32*)(arguments.scaling + 1), gridDim.x) == gridDim.x - 1) {
        storeRelaxedSystem(arguments.running, 0);
        storeRelaxedSystem(arguments.scaling, 0);
    }
    if (arguments.number != 0) { // behind that: whoever has seen all of these words may launch on
        storeReleaseSystem(arguments.finished + blockIdx.x, arguments.number);
    }
}

} // namespace mscclj
