// Loads and stores of a few elements at the address of any element.
#pragma once
#include "mscclj/memory.cuh"

namespace mscclj {

// Up to 8 bytes of plain memory at the address of any element.
template <class Stored>
__device__ __forceinline__ Words2 loadElements(uint64 address, uint32 bytes) {
    union {
        Words2 words;
        Stored elements[8 / sizeof(Stored)];
    } bits;
    bits.words = Words2{0, 0};
#pragma unroll
    for (int i = 0; i < (int)(8 / sizeof(Stored)); i++) {
        if (i * sizeof(Stored) < bytes) {
            bits.elements[i] = loadSmall<Stored>(address + i * sizeof(Stored));
        }
    }
    return bits.words;
}

template <class Stored>
__device__ __forceinline__ void storeElements(uint64 address, Words2 words, uint32 bytes) {
    union {
        Words2 words;
        Stored elements[8 / sizeof(Stored)];
    } bits;
    bits.words = words;
#pragma unroll
    for (int i = 0; i < (int)(8 / sizeof(Stored)); i++) {
        if (i * sizeof(Stored) < bytes) {
            storeSmall<Stored>(address + i * sizeof(Stored), bits.elements[i]);
        }
    }
}

} // namespace mscclj
