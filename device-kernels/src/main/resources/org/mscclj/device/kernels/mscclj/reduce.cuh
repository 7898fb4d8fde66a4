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

__device__ __forceinline__ Words2 select(bool first, Words2 one, Words2 other) {
    return Words2{first ? one.x : other.x, first ? one.y : other.y};
}

__device__ __forceinline__ Words4 select(bool first, Words4 one, Words4 other) {
    return Words4{first ? one.x : other.x, first ? one.y : other.y, first ? one.z : other.z,
                  first ? one.w : other.w};
}

// Combines packets in order, and a plain contribution behind the first `before` of them. The number is a word of the
// table, so that ranks whose own contributions have different places share their code. All operators commute, so a
// plain contribution before all packets has the place behind the first: one selection less, and fewer registers.
template <class Element, class Operator, class Raw, int Packets>
__device__ __forceinline__ Raw combineAround(uint32 before, Raw plain, const Raw (&packets)[Packets]) {
    const uint32 place = before == 0 ? 1 : before;
    Accumulator<Element, Operator, Raw> accumulator;
    accumulator.start(packets[0]);
#pragma unroll
    for (uint32 i = 1; i < Packets; i++) {
        accumulator.add(select(i == place, plain, select(i < place, packets[i], packets[i - 1])));
    }
    accumulator.add(select(place == Packets, plain, packets[Packets - 1]));
    return accumulator.result();
}

} // namespace mscclj
