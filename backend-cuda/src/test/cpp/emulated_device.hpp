/*
 * What CUDA gives to device code, for processors. A block has fewer threads than it was launched with, one for the most part: then barriers of a block are met at
 * once, and loops over a block's threads are turns of one. Device code that wants a certain number of threads, as what a warp does together, is not for this.
 *
 * arch/emulated.cuh has what the device library asks of a vendor's GPUs.
 *
 * Every kernel is compiled with this: little is included, as parsing it would take most of the time.
 */
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#ifndef __CUDA_ARCH__ // which emulated_nvrtc.cpp defines
#define __CUDA_ARCH__ 900
#endif
#define __device__
#define __global__
#define __host__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
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
    void (*awaitEarlier)();
    void (*letNext)();
    unsigned (*members)(unsigned long address, unsigned bytes, unsigned long* members); // of a multicast address
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

// A GPU refuses addresses that are no multiples of the size; so does this.
inline void aligned(unsigned long address, unsigned bytes) {
    if (address % bytes != 0) {
        place.fault(MISALIGNED_ADDRESS);
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
