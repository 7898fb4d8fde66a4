// Reduction of a few bytes at a time: elements are widened once, reduced once for each source, and rounded once.
#pragma once
#include "mscclj/element.cuh"
#include "mscclj/operator.cuh"

namespace mscclj {

// The contributions to the elements that fit into Raw (Words4, Words2 or a single element).
template <class Element, class Operator, class Raw>
struct Accumulator {
    using Stored = typename Element::Stored;
    using Number = typename Element::Number;
    static constexpr int kElements = sizeof(Raw) / sizeof(Stored);
    static_assert(kElements >= 1, "an element has to fit");

    union Bits {
        Raw raw;
        Stored elements[kElements];
        __device__ __forceinline__ Bits() {}
    };

    Number numbers[kElements];

    __device__ __forceinline__ void start(Raw first) {
        Bits bits;
        bits.raw = first;
#pragma unroll
        for (int i = 0; i < kElements; i++) {
            numbers[i] = Element::widen(bits.elements[i]);
        }
    }

    __device__ __forceinline__ void add(Raw next) {
        Bits bits;
        bits.raw = next;
#pragma unroll
        for (int i = 0; i < kElements; i++) {
            numbers[i] = Operator::combine(numbers[i], Element::widen(bits.elements[i]));
        }
    }

    __device__ __forceinline__ Raw result() const {
        Bits bits;
#pragma unroll
        for (int i = 0; i < kElements; i++) {
            bits.elements[i] =
                Operator::kSelects ? Element::narrowSelected(numbers[i]) : Element::narrow(numbers[i]);
        }
        return bits.raw;
    }
};

} // namespace mscclj
