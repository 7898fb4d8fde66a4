// Loads, stores and atomic operations on memory that is shared with other threads, other devices and the host.
//
// "System" means all threads of all devices and of the host; "device" means the threads of this device. Acquire and
// release have the meaning of the PTX memory consistency model: a release orders all earlier writes of the thread, and
// of threads with which it synchronised before at a barrier of the block; an acquire makes them visible to the thread
// and to those with which it synchronises afterwards.
#pragma once

namespace mscclj {

using int8 = signed char;
using uint8 = unsigned char;
using int16 = short;
using uint16 = unsigned short;
using int32 = int;
using uint32 = unsigned int;
using int64 = long long;
using uint64 = unsigned long long;

static_assert(sizeof(int64) == 8 && sizeof(int32) == 4 && sizeof(void*) == 8, "64-bit targets only");

struct alignas(8) Words2 {
    uint32 x, y;
};

struct alignas(16) Words4 {
    uint32 x, y, z, w;
};

__device__ __forceinline__ uint64 loadAcquireSystem(const uint64* address) {
    uint64 value;
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
    return value;
}

__device__ __forceinline__ uint64 loadRelaxedSystem(const uint64* address) {
    uint64 value;
    asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
    return value;
}

__device__ __forceinline__ uint32 loadRelaxedSystem(const uint32* address) {
    uint32 value;
    asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
    return value;
}

__device__ __forceinline__ uint64 loadAcquireDevice(const uint64* address) {
    uint64 value;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
    return value;
}

__device__ __forceinline__ void storeRelaxedSystem(uint64* address, uint64 value) {
    asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}

__device__ __forceinline__ void storeReleaseSystem(uint64* address, uint64 value) {
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}

__device__ __forceinline__ void storeRelaxedSystem(uint32* address, uint32 value) {
    asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

__device__ __forceinline__ void addRelaxedSystem(uint64* address, uint64 value) {
    asm volatile("red.relaxed.sys.global.add.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}

__device__ __forceinline__ void addReleaseSystem(uint64* address, uint64 value) {
    asm volatile("red.release.sys.global.add.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}

__device__ __forceinline__ uint64 fetchAddDevice(uint64* address, uint64 value) {
    uint64 before;
    asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], %2;" : "=l"(before) : "l"(address), "l"(value) : "memory");
    return before;
}

__device__ __forceinline__ uint64 exchangeDevice(uint64* address, uint64 value) {
    uint64 before;
    asm volatile("atom.relaxed.gpu.global.exch.b64 %0, [%1], %2;" : "=l"(before) : "l"(address), "l"(value) : "memory");
    return before;
}

__device__ __forceinline__ bool compareAndSetDevice(uint64* address, uint64 expected, uint64 desired) {
    uint64 before;
    asm volatile("atom.acq_rel.gpu.global.cas.b64 %0, [%1], %2, %3;"
                 : "=l"(before)
                 : "l"(address), "l"(expected), "l"(desired)
                 : "memory");
    return before == expected;
}

__device__ __forceinline__ void fenceSystem() {
    asm volatile("fence.acq_rel.sys;" ::: "memory");
}

// Accesses to data. They order nothing; the surrounding operations do.

__device__ __forceinline__ Words4 load16(uint64 address) {
    Words4 value;
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                 : "l"(address)
                 : "memory");
    return value;
}

__device__ __forceinline__ void store16(uint64 address, Words4 value) {
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(address), "r"(value.x), "r"(value.y), "r"(value.z),
                 "r"(value.w)
                 : "memory");
}

__device__ __forceinline__ Words2 load8(uint64 address) {
    Words2 value;
    asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(value.x), "=r"(value.y) : "l"(address) : "memory");
    return value;
}

__device__ __forceinline__ void store8(uint64 address, Words2 value) {
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(address), "r"(value.x), "r"(value.y) : "memory");
}

template <class Unit>
__device__ __forceinline__ Unit loadUnit(uint64 address) { return *(const volatile Unit*)address; }

template <>
__device__ __forceinline__ Words4 loadUnit<Words4>(uint64 address) { return load16(address); }

template <>
__device__ __forceinline__ Words2 loadUnit<Words2>(uint64 address) { return load8(address); }

template <class Unit>
__device__ __forceinline__ void storeUnit(uint64 address, Unit value) { *(volatile Unit*)address = value; }

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
__device__ __forceinline__ Words4 loadIf<Words4>(bool wanted, uint64 address) {
    Words4 value = Words4{0, 0, 0, 0};
    asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %5, 0; @wanted ld.global.v4.u32 {%0, %1, %2, %3}, [%4]; }"
                 : "+r"(value.x), "+r"(value.y), "+r"(value.z), "+r"(value.w)
                 : "l"(address), "r"((uint32)wanted)
                 : "memory");
    return value;
}

} // namespace mscclj
