/*
 * What CUDA gives to device code, for processors. A block has fewer threads than it was launched with, one for the most part: then barriers of a block are met at
 * once, and loops over a block's threads are turns of one. Device code that wants a certain number of threads, as what a warp does together, is not for this.
 *
 * Instructions of the GPU are functions of emulation::ptx, under their names; emulated_nvrtc.cpp makes calls of them. What acquires or releases there does so
 * here. The order of their parameters is that in the text of the instruction.
 *
 * Every kernel is compiled with this: little is included, as parsing it would take most of the time.
 */
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define __CUDA_ARCH__ 900 // as the stand-in for the driver says
#define __device__
#define __global__
#define __host__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __grid_constant__
#define __launch_bounds__(...)

namespace emulation {

struct Index {
    unsigned x, y, z;
};

// Of the thread, as standin_cuda.c has it.
struct Place {
    unsigned block, blocks, thread, threads;
    int (*meet)(void* meeting, int predicate);
    void* meeting;
    void (*fault)(int error); // ends the thread, and all that its device does in this process
};

inline thread_local Place place;

// CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_MISALIGNED_ADDRESS, CUDA_ERROR_LAUNCH_FAILED
enum { ILLEGAL_ADDRESS = 700, MISALIGNED_ADDRESS = 716, LAUNCH_FAILED = 719 };

// Nothing lies in the first page, on GPUs too.
inline void stores(const void* address, unsigned long bytes) {
    if ((unsigned long)address < 4096) {
        place.fault(ILLEGAL_ADDRESS);
    }
    if ((unsigned long)address % bytes != 0) {
        place.fault(MISALIGNED_ADDRESS);
    }
}

// Whoever waits lets others go on, as there are more blocks than processors.
inline void breathe() {
    static thread_local unsigned turns;
    if (++turns % 32 == 0) {
        sched_yield();
    }
}

// Its constructor calls a kernel: unlike arguments of functions, what is in braces is evaluated from left to right.
template <class... Parameters>
struct Call {
    Call(void (*kernel)(Parameters...), Parameters... parameters) { kernel(parameters...); }
};

template <class... Parameters>
void run(void (*kernel)(Parameters...), void** parameters, const Place* at) {
    place = *at;
    [[maybe_unused]] int next = 0;
    Call<Parameters...>{kernel, *(Parameters*)parameters[next++]...};
}

// The size of a parameter, 0 behind the last one, and where it begins.
template <class... Parameters>
size_t parameterBytes(void (*)(Parameters...), size_t number, size_t* offset) {
    const size_t sizes[] = {sizeof(Parameters)..., 0};
    const size_t alignments[] = {alignof(Parameters)..., 1};
    const size_t last = number < sizeof...(Parameters) ? number : sizeof...(Parameters);
    *offset = 0;
    for (size_t i = 0; i < last; i++) {
        size_t end = *offset + sizes[i];
        *offset = (end + alignments[i + 1] - 1) / alignments[i + 1] * alignments[i + 1];
    }
    return sizes[last];
}

namespace ptx {

template <class T>
void ld_acquire(T& value, const T* address) {
    breathe();
    value = __atomic_load_n(address, __ATOMIC_ACQUIRE);
}

template <class T>
void ld_relaxed(T& value, const T* address) {
    breathe();
    value = __atomic_load_n(address, __ATOMIC_RELAXED);
}

template <class T>
void st_relaxed(T* address, T value) {
    stores(address, sizeof(T));
    __atomic_store_n(address, value, __ATOMIC_RELAXED);
}

template <class T>
void st_release(T* address, T value) {
    __atomic_store_n(address, value, __ATOMIC_RELEASE);
}

template <class T>
void ld_acquire_sys_global_u64(T& value, const T* address) { ld_acquire(value, address); }
template <class T>
void ld_acquire_gpu_global_u64(T& value, const T* address) { ld_acquire(value, address); }
template <class T>
void ld_relaxed_sys_global_u64(T& value, const T* address) { ld_relaxed(value, address); }
template <class T>
void ld_relaxed_sys_global_u32(T& value, const T* address) { ld_relaxed(value, address); }
template <class T>
void st_relaxed_sys_global_u64(T* address, T value) { st_relaxed(address, value); }
template <class T>
void st_relaxed_sys_global_u32(T* address, T value) { st_relaxed(address, value); }
template <class T>
void st_release_sys_global_u64(T* address, T value) { st_release(address, value); }

template <class T>
void red_relaxed_sys_global_add_u64(T* address, T value) { __atomic_fetch_add(address, value, __ATOMIC_RELAXED); }
template <class T>
void red_release_sys_global_add_u64(T* address, T value) { __atomic_fetch_add(address, value, __ATOMIC_RELEASE); }

template <class T>
void atom_acq_rel_gpu_global_add_u64(T& before, T* address, T value) {
    before = __atomic_fetch_add(address, value, __ATOMIC_ACQ_REL);
}

template <class T>
void atom_relaxed_gpu_global_add_u64(T& before, T* address, T value) {
    before = __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}

template <class T>
void atom_relaxed_gpu_global_exch_b64(T& before, T* address, T value) {
    before = __atomic_exchange_n(address, value, __ATOMIC_RELAXED);
}

template <class T>
void atom_acq_rel_gpu_global_cas_b64(T& before, T* address, T expected, T desired) {
    breathe();
    __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    before = expected;
}

inline void fence_acq_rel_sys() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

// A GPU refuses addresses that are no multiples of the size; so does this.
inline void aligned(uint64_t address, unsigned bytes) {
    if (address % bytes != 0) {
        place.fault(MISALIGNED_ADDRESS);
    }
}

inline void trap() { place.fault(LAUNCH_FAILED); }

// Vectors arrive in pairs of words, each pair whole; packets want no more.
inline uint64_t pair(uint32_t first, uint32_t second) { return (uint64_t)second << 32 | first; }

inline void ld_volatile_global_v2_u32(uint32_t& first, uint32_t& second, uint64_t address) {
    aligned(address, 8);
    breathe();
    uint64_t both = __atomic_load_n((const uint64_t*)address, __ATOMIC_ACQUIRE);
    first = (uint32_t)both;
    second = (uint32_t)(both >> 32);
}

inline void ld_volatile_global_v4_u32(
    uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d, uint64_t address) {
    aligned(address, 16);
    ld_volatile_global_v2_u32(a, b, address);
    ld_volatile_global_v2_u32(c, d, address + 8);
}

inline void st_volatile_global_v2_u32(uint64_t address, uint32_t first, uint32_t second) {
    aligned(address, 8);
    __atomic_store_n((uint64_t*)address, pair(first, second), __ATOMIC_RELEASE);
}

inline void st_volatile_global_v4_u32(
    uint64_t address, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    aligned(address, 16);
    st_volatile_global_v2_u32(address, a, b);
    st_volatile_global_v2_u32(address + 8, c, d);
}

inline void ld_global_v2_u32(uint32_t& first, uint32_t& second, uint64_t address) {
    aligned(address, 8);
    first = ((const volatile uint32_t*)address)[0];
    second = ((const volatile uint32_t*)address)[1];
}

inline void ld_global_v4_u32(
    uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d, uint64_t address) {
    aligned(address, 16);
    ld_global_v2_u32(a, b, address);
    ld_global_v2_u32(c, d, address + 8);
}

inline void if_ld_global_v4_u32(
    uint32_t wanted, uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d, uint64_t address) {
    if (wanted) {
        ld_global_v4_u32(a, b, c, d, address);
    }
}

inline void st_global_v2_u32(uint64_t address, uint32_t first, uint32_t second) {
    aligned(address, 8);
    ((volatile uint32_t*)address)[0] = first;
    ((volatile uint32_t*)address)[1] = second;
}

inline void st_global_v4_u32(
    uint64_t address, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    aligned(address, 16);
    st_global_v2_u32(address, a, b);
    st_global_v2_u32(address + 8, c, d);
}

template <class T>
void mov_u64_globaltimer(T& nanos) {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    nanos = (T)now.tv_sec * 1000000000 + (T)now.tv_nsec;
}

inline void cvt_f32_f16(float& wide, uint16_t bits) {
    _Float16 half;
    __builtin_memcpy(&half, &bits, sizeof half);
    wide = (float)half;
}

inline void cvt_rn_f16_f32(uint16_t& bits, float wide) {
    _Float16 half = (_Float16)wide;
    __builtin_memcpy(&bits, &half, sizeof half);
}

inline void cvt_rn_bf16_f32(uint16_t& bits, float wide) {
    uint32_t all;
    __builtin_memcpy(&all, &wide, sizeof all);
    bits = (uint16_t)(wide != wide ? 0x7fff : (all + 0x7fff + (all >> 16 & 1)) >> 16);
}

// A number rather than NaN; -0 is less than +0.
template <class T>
void least(T& result, T a, T b) {
    result = a < b || (a == b && __builtin_signbit(a)) || b != b ? a : b;
}

template <class T>
void greatest(T& result, T a, T b) {
    result = a > b || (a == b && !__builtin_signbit(a)) || b != b ? a : b;
}

inline void min_f32(float& result, float a, float b) { least(result, a, b); }
inline void max_f32(float& result, float a, float b) { greatest(result, a, b); }
inline void min_NaN_f32(float& result, float a, float b) { a != a || b != b ? (void)(result = __builtin_nanf("")) : least(result, a, b); }
inline void max_NaN_f32(float& result, float a, float b) { a != a || b != b ? (void)(result = __builtin_nanf("")) : greatest(result, a, b); }
inline void min_f64(double& result, double a, double b) { least(result, a, b); }
inline void max_f64(double& result, double a, double b) { greatest(result, a, b); }

} // namespace ptx
} // namespace emulation

#define threadIdx (emulation::Index{emulation::place.thread, 0, 0})
#define blockDim (emulation::Index{emulation::place.threads, 1, 1})
#define blockIdx (emulation::Index{emulation::place.block, 0, 0})
#define gridDim (emulation::Index{emulation::place.blocks, 1, 1})

inline int __syncthreads_or(int predicate) {
    const emulation::Place& place = emulation::place;
    return place.threads == 1 ? predicate != 0 : place.meet(place.meeting, predicate);
}

inline void __syncthreads() { __syncthreads_or(0); }
inline int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }

template <class T>
T min(T a, T b) { return b < a ? b : a; }

template <class T>
T max(T a, T b) { return a < b ? b : a; }

inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }

inline unsigned __float_as_uint(float value) {
    unsigned bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline float __uint_as_float(unsigned bits) {
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

// What the stand-in for the driver looks for of a kernel.
#define EMULATED_KERNEL(name)                                                                                             \
    extern "C" __attribute__((visibility("default"))) void name##_emulated(                                             \
        void** parameters, const emulation::Place* place) {                                                               \
        emulation::run(&name, parameters, place);                                                                         \
    }                                                                                                                     \
    extern "C" __attribute__((visibility("default"))) size_t name##_parameter(                                 \
        size_t number, size_t* offset) {                                                                                  \
        return emulation::parameterBytes(&name, number, offset);                                                          \
    }
