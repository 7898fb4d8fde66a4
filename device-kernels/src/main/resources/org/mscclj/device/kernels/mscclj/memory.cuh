// Loads and stores of units of 1, 2, 4, 8 and 16 bytes.
#pragma once
#include "mscclj/arch.cuh"

namespace mscclj {

template <class Unit>
__device__ __forceinline__ Unit loadUnit(uint64 address) { return loadSmall<Unit>(address); }

template <>
__device__ __forceinline__ Words4 loadUnit<Words4>(uint64 address) { return load16(address); }

template <>
__device__ __forceinline__ Words2 loadUnit<Words2>(uint64 address) { return load8(address); }

template <class Unit>
__device__ __forceinline__ void storeUnit(uint64 address, Unit value) { storeSmall<Unit>(address, value); }

template <>
__device__ __forceinline__ void storeUnit<Words4>(uint64 address, Words4 value) { store16(address, value); }

template <>
__device__ __forceinline__ void storeUnit<Words2>(uint64 address, Words2 value) { store8(address, value); }

// A predicated load without a branch, so that many loads can be in flight; zero if the predicate is false.
template <class Raw>
__device__ __forceinline__ Raw loadIf(bool wanted, uint64 address) {
    return wanted ? loadUnit<Raw>(address) : Raw{};
}

template <>
__device__ __forceinline__ Words4 loadIf<Words4>(bool wanted, uint64 address) { return load16If(wanted, address); }

} // namespace mscclj
