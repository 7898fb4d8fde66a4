// The operations of NVIDIA GPUs for the device library. This is the only file with instructions of these GPUs.
//
// Acquire and release follow the PTX memory consistency model. A release orders all earlier writes of the thread, and
// those of threads that synchronised with it at a barrier of the block. An acquire makes these writes visible to the
// thread, and to threads that synchronise with it later. "System" scope covers every thread of every device and of the
// host; "device" scope covers the threads of this device.
#pragma once
#include "mscclj/types.cuh"

// Precedes the type of a read-only kernel parameter.
#define MSCCLJ_GRID_CONSTANT __grid_constant__

// The only parameter of a kernel, where the hardware has it.
#define MSCCLJ_IN_PLACE(parameter) (parameter)

namespace mscclj {

// Waits until earlier kernels of the stream have ended, and sees what they wrote. Every thread of a kernel that is
// launched early calls this before it touches what other kernels touch. For other launches this does nothing.
__device__ __forceinline__ void awaitEarlierKernels() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Lets the next kernel of the stream begin, if it was launched early and if all blocks of this one have come here.
__device__ __forceinline__ void letNextKernelBegin() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

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

__device__ __forceinline__ uint64 fetchAddRelaxedDevice(uint64* address, uint64 value) {
    uint64 before;
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;" : "=l"(before) : "l"(address), "l"(value) : "memory");
    return before;
}

__device__ __forceinline__ uint64 exchangeDevice(uint64* address, uint64 value) {
    uint64 before;
    asm volatile("atom.relaxed.gpu.global.exch.b64 %0, [%1], %2;" : "=l"(before) : "l"(address), "l"(value) : "memory");
    return before;
}

// Like exchangeDevice if wanted; otherwise returns zero. Without a branch, so that nothing waits for the result before
// it is used. The same holds for the two functions that follow.
__device__ __forceinline__ uint64 exchangeDeviceIf(bool wanted, uint64* address, uint64 value) {
    uint64 before = 0;
    asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %3, 0;"
                 " @wanted atom.relaxed.gpu.global.exch.b64 %0, [%1], %2; }"
                 : "+l"(before)
                 : "l"(address), "l"(value), "r"((uint32)wanted)
                 : "memory");
    return before;
}

__device__ __forceinline__ uint64 loadRelaxedSystemIf(bool wanted, const uint64* address) {
    uint64 value = 0;
    asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0; @wanted ld.relaxed.sys.global.u64 %0, [%1]; }"
                 : "+l"(value)
                 : "l"(address), "r"((uint32)wanted)
                 : "memory");
    return value;
}

__device__ __forceinline__ void storeRelaxedSystemIf(bool wanted, uint64* address, uint64 value) {
    asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0; @wanted st.relaxed.sys.global.u64 [%0], %1; }" ::"l"(
                     address),
                 "l"(value), "r"((uint32)wanted)
                 : "memory");
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

// Called between two polls. Other threads go on meanwhile by themselves.
__device__ __forceinline__ void pausePolling() {}

// Whether the calling thread reads a word of the host in a round of a wait. Reads of one word by many warps wait for
// each other. If all warps of a launch read, the launch is late, and its peers, which wait for it, read as well. So
// warps take turns.
__device__ __forceinline__ bool looksInRound(uint32 round) {
    return (round + threadIdx.x / 32 + blockIdx.x) % 16 == 0;
}

// Loads and stores of data. The surrounding operations order them.

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

// Loads if wanted, and returns zero if not. Without a branch, so that many loads can be in flight at once.
__device__ __forceinline__ Words4 load16If(bool wanted, uint64 address) {
    Words4 value = Words4{0, 0, 0, 0};
    asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %5, 0; @wanted ld.global.v4.u32 {%0, %1, %2, %3}, [%4]; }"
                 : "+r"(value.x), "+r"(value.y), "+r"(value.z), "+r"(value.w)
                 : "l"(address), "r"((uint32)wanted)
                 : "memory");
    return value;
}

__device__ __forceinline__ Words2 load8If(bool wanted, uint64 address) {
    Words2 value = Words2{0, 0};
    asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %3, 0; @wanted ld.global.v2.u32 {%0, %1}, [%2]; }"
                 : "+r"(value.x), "+r"(value.y)
                 : "l"(address), "r"((uint32)wanted)
                 : "memory");
    return value;
}

// A value of 1, 2, 4 or 8 bytes, as a whole, and never from a cache.
template <class T>
__device__ __forceinline__ T loadSmall(uint64 address) { return *(const volatile T*)address; }

template <class T>
__device__ __forceinline__ void storeSmall(uint64 address, T value) { *(volatile T*)address = value; }

// Packets. An aligned pair of words arrives as a whole.

__device__ __forceinline__ Words2 loadPair(uint64 address) {
    Words2 value;
    asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];" : "=r"(value.x), "=r"(value.y) : "l"(address) : "memory");
    return value;
}

__device__ __forceinline__ void storePair(uint64 address, Words2 value) {
    asm volatile("st.volatile.global.v2.u32 [%0], {%1, %2};" ::"l"(address), "r"(value.x), "r"(value.y) : "memory");
}

// Loads two pairs, which may arrive one after the other.
__device__ __forceinline__ Words4 loadPairs(uint64 address) {
    Words4 value;
    asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                 : "l"(address)
                 : "memory");
    return value;
}

__device__ __forceinline__ void storePairs(uint64 address, Words4 value) {
    asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(address), "r"(value.x), "r"(value.y),
                 "r"(value.z), "r"(value.w)
                 : "memory");
}

// Multicast, from sm_90 on. A multicast address stands for the memory of all members of a group. Only multimem
// instructions access it. They are relaxed, in the scope of the system.

// Orders accesses of this thread by multicast addresses and by others to the same memory, which are aliases of each
// other, in both directions. A path of synchronisation from one to the other has to pass such a fence.
__device__ __forceinline__ void fenceAliases() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.alias;" ::: "memory");
#endif
}

// Stores the value in the memory of each member. Words are not changed, whatever type the instruction names.
__device__ __forceinline__ void multicastStore(uint64 address, Words4 value) {
#if __CUDA_ARCH__ >= 900
    asm volatile("multimem.st.relaxed.sys.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(address),
                 "f"(__uint_as_float(value.x)), "f"(__uint_as_float(value.y)), "f"(__uint_as_float(value.z)),
                 "f"(__uint_as_float(value.w))
                 : "memory");
#endif
}

// An aligned pair of words arrives as a whole.
__device__ __forceinline__ void multicastStore(uint64 address, Words2 value) {
#if __CUDA_ARCH__ >= 900
    asm volatile("multimem.st.relaxed.sys.global.b64 [%0], %1;" ::"l"(address), "l"((uint64)value.y << 32 | value.x)
                 : "memory");
#endif
}

__device__ __forceinline__ void multicastStore(uint64 address, uint32 value) {
#if __CUDA_ARCH__ >= 900
    asm volatile("multimem.st.relaxed.sys.global.b32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
#endif
}

// Defines a type whose loadIf combines the values of all members, in one instruction of the switch, if wanted, and
// returns zero if not. It exists from an architecture on; those of at least 1000 are for one family of GPUs each.
#define MSCCLJ_SWITCH_REDUCTION(Name, Architecture, Raw, instruction, Element, Operator)        \
    struct Name {                                                                               \
        static constexpr bool kExists = MSCCLJ_MULTIMEM_ARCHITECTURE >= Architecture;           \
        using Unit = Raw;                                                                       \
        static __device__ __forceinline__ Raw loadIf(bool wanted, uint64 address) {             \
            Raw value = Raw{};                                                                  \
            MSCCLJ_MULTIMEM_LOAD_##Raw(instruction) return value;                               \
        }                                                                                       \
    };

// Defines a type whose apply combines a value with the memory of each member, one element after the other.
#define MSCCLJ_SWITCH_UPDATE(Name, Architecture, Raw, instruction, Element, Operator)           \
    struct Name {                                                                               \
        static constexpr bool kExists = MSCCLJ_MULTIMEM_ARCHITECTURE >= Architecture;           \
        using Unit = Raw;                                                                       \
        static __device__ __forceinline__ void apply(uint64 address, Raw value) {               \
            MSCCLJ_MULTIMEM_UPDATE_##Raw(instruction)                                           \
        }                                                                                       \
    };

#if __CUDA_ARCH_SPECIFIC__ >= 1000 || __CUDA_ARCH_FAMILY_SPECIFIC__ >= 1000
#define MSCCLJ_MULTIMEM_ARCHITECTURE __CUDA_ARCH__
#elif __CUDA_ARCH__ >= 900
#define MSCCLJ_MULTIMEM_ARCHITECTURE 900
#else
#define MSCCLJ_MULTIMEM_ARCHITECTURE 0
#endif

#define MSCCLJ_MULTIMEM_LOAD_Words4(instruction)                                                \
    asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %5, 0;"                              \
                 " @wanted multimem.ld_reduce.relaxed.sys.global." instruction                  \
                 " {%0, %1, %2, %3}, [%4]; }"                                                   \
                 : "+r"(value.x), "+r"(value.y), "+r"(value.z), "+r"(value.w)                   \
                 : "l"(address), "r"((uint32)wanted)                                            \
                 : "memory");

#define MSCCLJ_MULTIMEM_LOAD_Words2(instruction)                                                \
    uint64 both = 0;                                                                            \
    asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0;"                              \
                 " @wanted multimem.ld_reduce.relaxed.sys.global." instruction " %0, [%1]; }"   \
                 : "+l"(both)                                                                   \
                 : "l"(address), "r"((uint32)wanted)                                            \
                 : "memory");                                                                   \
    value = Words2{(uint32)both, (uint32)(both >> 32)};

#define MSCCLJ_MULTIMEM_LOAD_uint32(instruction)                                                \
    asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0;"                              \
                 " @wanted multimem.ld_reduce.relaxed.sys.global." instruction " %0, [%1]; }"   \
                 : "+r"(value)                                                                  \
                 : "l"(address), "r"((uint32)wanted)                                            \
                 : "memory");

#define MSCCLJ_MULTIMEM_UPDATE_Words4(instruction)                                              \
    asm volatile("multimem.red.relaxed.sys.global." instruction " [%0], {%1, %2, %3, %4};" ::   \
                     "l"(address), "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w)       \
                 : "memory");

#define MSCCLJ_MULTIMEM_UPDATE_Words2(instruction)                                              \
    asm volatile("multimem.red.relaxed.sys.global." instruction " [%0], %1;" ::"l"(address),    \
                 "l"((uint64)value.y << 32 | value.x)                                           \
                 : "memory");

#define MSCCLJ_MULTIMEM_UPDATE_uint32(instruction)                                              \
    asm volatile("multimem.red.relaxed.sys.global." instruction " [%0], %1;" ::"l"(address),    \
                 "r"(value)                                                                     \
                 : "memory");

// The threads that execute an instruction together.
struct Warp {
    static constexpr uint32 kThreads = 32;
};

// Lets the threads of a warp go on together. All of them call this.
__device__ __forceinline__ void syncWarp() { __syncwarp(); }

// Whether all threads of the warp execute this call, and what follows it without a branch, as one instruction.
__device__ __forceinline__ bool isWarpTogether() { return __activemask() == 0xffffffffu; }

// Whether a condition holds for all threads of a warp. All of them call this.
__device__ __forceinline__ bool allOfWarp(bool condition) { return __all_sync(0xffffffffu, condition); }

// Nanoseconds of the device's own clock, which is common to all multiprocessors.
__device__ __forceinline__ uint64 deviceNanos() {
    uint64 nanos;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(nanos)::"memory");
    return nanos;
}

// Ends the kernel with an error.
__device__ __forceinline__ void trap() { asm volatile("trap;"); }

// Minimum and maximum. The result is NaN if either value is NaN; -0 is less than +0.

__device__ __forceinline__ float minimum(float a, float b) {
    float least;
#if __CUDA_ARCH__ >= 800
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(least) : "f"(a), "f"(b));
#else
    asm("min.f32 %0, %1, %2;" : "=f"(least) : "f"(a), "f"(b));
    least = a != a ? a : b != b ? b : least;
#endif
    return least;
}

__device__ __forceinline__ double minimum(double a, double b) {
    double least;
    asm("min.f64 %0, %1, %2;" : "=d"(least) : "d"(a), "d"(b));
    return a != a ? a : b != b ? b : least;
}

__device__ __forceinline__ float maximum(float a, float b) {
    float greatest;
#if __CUDA_ARCH__ >= 800
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(greatest) : "f"(a), "f"(b));
#else
    asm("max.f32 %0, %1, %2;" : "=f"(greatest) : "f"(a), "f"(b));
    greatest = a != a ? a : b != b ? b : greatest;
#endif
    return greatest;
}

__device__ __forceinline__ double maximum(double a, double b) {
    double greatest;
    asm("max.f64 %0, %1, %2;" : "=d"(greatest) : "d"(a), "d"(b));
    return a != a ? a : b != b ? b : greatest;
}

__device__ __forceinline__ float widenFloat16(uint16 bits) {
    float wide;
    asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(bits));
    return wide;
}

// Rounds to nearest, ties to even, as narrowBfloat16 does.
__device__ __forceinline__ uint16 narrowFloat16(float value) {
    uint16 bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}

__device__ __forceinline__ uint16 narrowBfloat16(float value) {
#if __CUDA_ARCH__ >= 800
    uint16 bits;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
#else
    uint32 bits = __float_as_uint(value);
    return value != value ? (uint16)0x7fc0 : (uint16)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
#endif
}

// The instructions that convert fp8 with a number of bits of mantissa: none here.
template <int Mantissa>
struct Float8Instructions {
    static constexpr bool kAreOcp = false;
    static constexpr bool kAreFnuz = false;
};

} // namespace mscclj
