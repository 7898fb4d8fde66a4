// The operations of AMD's GPUs for the device library, by the builtin functions of Clang. This file and
// arch/hiplanguage.cuh are the only ones with instructions of these GPUs.
//
// Acquire and release follow LLVM's memory model of AMDGPU. "System" scope covers every thread of every device and of
// the host; "device" scope, there called agent, covers the threads of this device. Counters, flags and packets are in
// memory that the host has allocated as uncached or fine-grained. Data may be in ordinary memory: from MI200 on, a
// release at system scope writes it back, and an acquire drops what caches have of the memory of other devices.
#pragma once
#include "mscclj/arch/hiplanguage.cuh"

// Precedes the type of a read-only kernel parameter.
#define MSCCLJ_GRID_CONSTANT

// The only parameter of a kernel, where the hardware has it. A function that takes the parameter itself by reference
// would have each thread copy all of it to memory.
#define MSCCLJ_IN_PLACE(parameter) (*(decltype(&(parameter)))::mscclj::firstParameter())

namespace mscclj {

__device__ __forceinline__ const void* firstParameter() { return (const void*)__builtin_amdgcn_kernarg_segment_ptr(); }

// In the global address space. Accesses by an address of unknown space are slower.
template <class T>
using Global = __attribute__((address_space(1))) T;

template <class T>
__device__ __forceinline__ Global<T>* global(T* address) {
    return (Global<T>*)(uint64)address;
}

// Kernels do not begin early.
__device__ __forceinline__ void awaitEarlierKernels() {}
__device__ __forceinline__ void letNextKernelBegin() {}

// Waits until earlier accesses of the wavefront have ended, among them the write-back of a cache by a fence. Compilers
// before LLVM 22 omit that wait of a fence where no other access is under way (LLVM's pull request 178316).
__device__ __forceinline__ void awaitAccesses() {
#ifdef __GFX9__
    __builtin_amdgcn_s_waitcnt(kAwaitMemory);
#endif
}

// What comes before a relaxed operation, which releases then.
__device__ __forceinline__ void releaseSystem() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
    awaitAccesses();
}

__device__ __forceinline__ void releaseDevice() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    awaitAccesses();
}

__device__ __forceinline__ uint64 loadAcquireSystem(const uint64* address) {
    return __hip_atomic_load(global(address), __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
}

__device__ __forceinline__ uint64 loadRelaxedSystem(const uint64* address) {
    return __hip_atomic_load(global(address), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

__device__ __forceinline__ uint32 loadRelaxedSystem(const uint32* address) {
    return __hip_atomic_load(global(address), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

__device__ __forceinline__ uint64 loadAcquireDevice(const uint64* address) {
    return __hip_atomic_load(global(address), __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
}

__device__ __forceinline__ void storeRelaxedSystem(uint64* address, uint64 value) {
    __hip_atomic_store(global(address), value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

__device__ __forceinline__ void storeReleaseSystem(uint64* address, uint64 value) {
    releaseSystem();
    __hip_atomic_store(global(address), value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

__device__ __forceinline__ void storeRelaxedSystem(uint32* address, uint32 value) {
    __hip_atomic_store(global(address), value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

__device__ __forceinline__ void addRelaxedSystem(uint64* address, uint64 value) {
    __hip_atomic_fetch_add(global(address), value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

__device__ __forceinline__ void addReleaseSystem(uint64* address, uint64 value) {
    releaseSystem();
    __hip_atomic_fetch_add(global(address), value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

__device__ __forceinline__ uint64 fetchAddDevice(uint64* address, uint64 value) {
    releaseDevice();
    return __hip_atomic_fetch_add(global(address), value, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
}

__device__ __forceinline__ uint64 fetchAddRelaxedDevice(uint64* address, uint64 value) {
    return __hip_atomic_fetch_add(global(address), value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

__device__ __forceinline__ uint64 exchangeDevice(uint64* address, uint64 value) {
    return __hip_atomic_exchange(global(address), value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

// Like exchangeDevice if wanted; otherwise returns zero. A branch does not wait for the result of the operation behind
// it. The same holds for the two functions that follow, and for loads of data.
__device__ __forceinline__ uint64 exchangeDeviceIf(bool wanted, uint64* address, uint64 value) {
    return wanted ? exchangeDevice(address, value) : 0;
}

__device__ __forceinline__ uint64 loadRelaxedSystemIf(bool wanted, const uint64* address) {
    return wanted ? loadRelaxedSystem(address) : 0;
}

__device__ __forceinline__ void storeRelaxedSystemIf(bool wanted, uint64* address, uint64 value) {
    if (wanted) {
        storeRelaxedSystem(address, value);
    }
}

__device__ __forceinline__ bool compareAndSetDevice(uint64* address, uint64 expected, uint64 desired) {
    releaseDevice();
    return __hip_atomic_compare_exchange_strong(global(address), &expected, desired, __ATOMIC_ACQUIRE,
                                                __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
}

__device__ __forceinline__ void fenceSystem() {
    releaseSystem();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "");
}

// Called between two polls. At least 64 cycles, in which other wavefronts have the memory for themselves.
__device__ __forceinline__ void pausePolling() { __builtin_amdgcn_s_sleep(1); }

// Whether the calling thread reads a word of the host in a round of a wait. Wavefronts take turns, so that few read at
// once.
__device__ __forceinline__ bool looksInRound(uint32 round) {
    return (round + threadIdx.x / 64 + blockIdx.x) % 16 == 0;
}

// Loads and stores of data. The surrounding operations order them. Stores are not kept in caches, since peers or later
// kernels read them.

typedef uint32 Vector2 __attribute__((__vector_size__(8)));
typedef uint32 Vector4 __attribute__((__vector_size__(16)));

__device__ __forceinline__ Words4 load16(uint64 address) {
    const Vector4 value = *(const Global<Vector4>*)address;
    return Words4{value[0], value[1], value[2], value[3]};
}

__device__ __forceinline__ void store16(uint64 address, Words4 value) {
    __builtin_nontemporal_store(Vector4{value.x, value.y, value.z, value.w}, (Global<Vector4>*)address);
}

__device__ __forceinline__ Words2 load8(uint64 address) {
    const Vector2 value = *(const Global<Vector2>*)address;
    return Words2{value[0], value[1]};
}

__device__ __forceinline__ void store8(uint64 address, Words2 value) {
    __builtin_nontemporal_store(Vector2{value.x, value.y}, (Global<Vector2>*)address);
}

// Loads if wanted, and returns zero if not.
__device__ __forceinline__ Words4 load16If(bool wanted, uint64 address) {
    return wanted ? load16(address) : Words4{0, 0, 0, 0};
}

__device__ __forceinline__ Words2 load8If(bool wanted, uint64 address) {
    return wanted ? load8(address) : Words2{0, 0};
}

template <int Bytes>
struct SmallUnit {
    using Type = uint64;
};
template <>
struct SmallUnit<4> {
    using Type = uint32;
};
template <>
struct SmallUnit<2> {
    using Type = uint16;
};
template <>
struct SmallUnit<1> {
    using Type = uint8;
};

// A value of 1, 2, 4 or 8 bytes, as a whole, and never from a cache.
template <class T>
__device__ __forceinline__ T loadSmall(uint64 address) {
    using Unit = typename SmallUnit<sizeof(T)>::Type;
    return __builtin_bit_cast(
        T, __hip_atomic_load((Global<Unit>*)address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM));
}

template <class T>
__device__ __forceinline__ void storeSmall(uint64 address, T value) {
    using Unit = typename SmallUnit<sizeof(T)>::Type;
    __hip_atomic_store((Global<Unit>*)address, __builtin_bit_cast(Unit, value), __ATOMIC_RELAXED,
                       __HIP_MEMORY_SCOPE_SYSTEM);
}

// Packets. An aligned pair of words arrives as a whole.

__device__ __forceinline__ Words2 loadPair(uint64 address) {
    const uint64 both =
        __hip_atomic_load((const Global<uint64>*)address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
    return Words2{(uint32)both, (uint32)(both >> 32)};
}

__device__ __forceinline__ void storePair(uint64 address, Words2 value) {
    __hip_atomic_store((Global<uint64>*)address, (uint64)value.y << 32 | value.x, __ATOMIC_RELAXED,
                       __HIP_MEMORY_SCOPE_SYSTEM);
}

// Loads two pairs, which may arrive one after the other.
__device__ __forceinline__ Words4 loadPairs(uint64 address) {
    const Words2 low = loadPair(address);
    const Words2 high = loadPair(address + 8);
    return Words4{low.x, low.y, high.x, high.y};
}

__device__ __forceinline__ void storePairs(uint64 address, Words4 value) {
    storePair(address, Words2{value.x, value.y});
    storePair(address + 8, Words2{value.z, value.w});
}

// These GPUs have no multicast, so no address is one.

__device__ __forceinline__ void fenceAliases() {}

template <class Unit>
__device__ __forceinline__ void multicastStore(uint64, Unit) {}

#define MSCCLJ_SWITCH_REDUCTION(Name, Architecture, Raw, instruction, Element, Operator) using Name = NoSwitchReduction;
#define MSCCLJ_SWITCH_UPDATE(Name, Architecture, Raw, instruction, Element, Operator) using Name = NoSwitchReduction;

// The threads that move lines of packets together: a wavefront of 32 threads, or half of one of 64.
struct Warp {
    static constexpr uint32 kThreads = 32;
};

// Lets the threads of a warp go on together. All of them call this.
__device__ __forceinline__ void syncWarp() {
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
    __builtin_amdgcn_wave_barrier();
}

// Whether a line of 128 bytes that a warp stores by one instruction arrives as a whole. Nothing says that it does on
// these GPUs: a fence comes before the flags of lines.
__device__ __forceinline__ bool isWarpTogether() { return false; }

// Whether a condition holds for all threads of a warp. All of them call this.
__device__ __forceinline__ bool allOfWarp(bool condition) {
    return (uint32)(ballot(condition) >> (laneIndex() & 32)) == 0xffffffffu;
}

// Nanoseconds of the device's own clock, which is common to all compute units: 25 MHz on MI100, 100 MHz on others.
__device__ __forceinline__ uint64 deviceNanos() {
#if defined(__gfx908__)
    return __builtin_amdgcn_s_memrealtime() * 40;
#elif defined(__GFX9__) || defined(__GFX10__)
    return __builtin_amdgcn_s_memrealtime() * 10;
#else
    return __builtin_amdgcn_s_sendmsg_rtnl(131) * 10;
#endif
}

// Ends the kernel with an error.
__device__ __forceinline__ void trap() { __builtin_trap(); }

// Minimum and maximum. The result is NaN if either value is NaN; -0 is less than +0.

// Ascends with the number, -0 before +0.
__device__ __forceinline__ int32 order(float value) {
    const int32 bits = __builtin_bit_cast(int32, value);
    return bits ^ (int32)((uint32)(bits >> 31) >> 1);
}

__device__ __forceinline__ int64 order(double value) {
    const int64 bits = __builtin_bit_cast(int64, value);
    return bits ^ (int64)((uint64)(bits >> 63) >> 1);
}

template <class T>
__device__ __forceinline__ T minimum(T a, T b) {
    return a != a ? a : b != b ? b : order(b) < order(a) ? b : a;
}

template <class T>
__device__ __forceinline__ T maximum(T a, T b) {
    return a != a ? a : b != b ? b : order(a) < order(b) ? b : a;
}

__device__ __forceinline__ float widenFloat16(uint16 bits) { return (float)__builtin_bit_cast(_Float16, bits); }

// Rounds to nearest, ties to even, as narrowBfloat16 does.
__device__ __forceinline__ uint16 narrowFloat16(float value) { return __builtin_bit_cast(uint16, (_Float16)value); }

__device__ __forceinline__ uint16 narrowBfloat16(float value) {
    const uint32 bits = __builtin_bit_cast(uint32, value);
    return value != value ? (uint16)0x7fc0 : (uint16)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

// The instructions that convert fp8 with a number of bits of mantissa. They have the formats of OCP from MI350 and RDNA
// 4 on, and those without a negative zero on MI300. A number is narrowed only if it is within the format's range, so
// that no mode of saturation matters.
template <int Mantissa>
struct Float8Instructions {
#if defined(__gfx950__) || defined(__GFX12__)
    static constexpr bool kAreOcp = true;
    static constexpr bool kAreFnuz = false;
#elif defined(__gfx942__)
    static constexpr bool kAreOcp = false;
    static constexpr bool kAreFnuz = true;
#else
    static constexpr bool kAreOcp = false;
    static constexpr bool kAreFnuz = false;
#endif

#if defined(__gfx950__) || defined(__GFX12__) || defined(__gfx942__)
    static __device__ __forceinline__ float widen(uint8 value) {
        return Mantissa == 3 ? __builtin_amdgcn_cvt_f32_fp8(value, 0) : __builtin_amdgcn_cvt_f32_bf8(value, 0);
    }

    static __device__ __forceinline__ uint8 narrow(float value) {
        return (uint8)(Mantissa == 3 ? __builtin_amdgcn_cvt_pk_fp8_f32(value, value, 0, false)
                                     : __builtin_amdgcn_cvt_pk_bf8_f32(value, value, 0, false));
    }
#endif
};

} // namespace mscclj
