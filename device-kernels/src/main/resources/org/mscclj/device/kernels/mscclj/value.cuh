// Loads and stores of single values of any type of 1, 2, 4, 8 or 16 bytes, at aligned addresses. Accesses of up to 8
// bytes are atomic. They order nothing.
#pragma once
#include "mscclj/copy.cuh"

namespace mscclj {

template <int Bytes>
struct UnitOf;

template <>
struct UnitOf<1> {
    using Type = uint8;
};

template <>
struct UnitOf<2> {
    using Type = uint16;
};

template <>
struct UnitOf<4> {
    using Type = uint32;
};

template <>
struct UnitOf<8> {
    using Type = Words2;
};

template <>
struct UnitOf<16> {
    using Type = Words4;
};

template <class T>
union ValueBits {
    typename UnitOf<sizeof(T)>::Type unit;
    uint64 word;
    T value;
    __device__ __forceinline__ ValueBits() {}
};

template <class T>
__device__ __forceinline__ T loadValue(uint64 address) {
    ValueBits<T> bits;
    if constexpr (sizeof(T) == 8) {
        bits.word = loadRelaxedSystem((const uint64*)address);
    } else {
        bits.unit = loadUnit<typename UnitOf<sizeof(T)>::Type>(address);
    }
    return bits.value;
}

template <class T>
__device__ __forceinline__ void storeValue(uint64 address, T value) {
    ValueBits<T> bits;
    bits.value = value;
    if constexpr (sizeof(T) == 8) {
        storeRelaxedSystem((uint64*)address, bits.word);
    } else {
        storeUnit<typename UnitOf<sizeof(T)>::Type>(address, bits.unit);
    }
}

} // namespace mscclj
