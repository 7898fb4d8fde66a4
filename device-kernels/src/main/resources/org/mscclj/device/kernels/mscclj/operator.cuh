// Reductions of two contributions. Sums and products of integers wrap, signed or not. Minimum and maximum return one of
// the contributions unchanged: NaN if any is NaN, and -0 is less than +0.
#pragma once
#include "mscclj/memory.cuh"

namespace mscclj {

template <class T>
struct Unsigned {
    using Type = T;
};
template <>
struct Unsigned<int8> {
    using Type = uint8;
};
template <>
struct Unsigned<int16> {
    using Type = uint16;
};
template <>
struct Unsigned<int32> {
    using Type = uint32;
};
template <>
struct Unsigned<int64> {
    using Type = uint64;
};

struct Sum {
    static constexpr bool kSelects = false;
    template <class T>
    static __device__ __forceinline__ T combine(T a, T b) {
        using U = typename Unsigned<T>::Type;
        return (T)((U)a + (U)b);
    }
    static __device__ __forceinline__ float combine(float a, float b) { return __fadd_rn(a, b); }
    static __device__ __forceinline__ double combine(double a, double b) { return __dadd_rn(a, b); }
};

struct Product {
    static constexpr bool kSelects = false;
    template <class T>
    static __device__ __forceinline__ T combine(T a, T b) {
        using U = typename Unsigned<T>::Type;
        return (T)(U)((uint64)(U)a * (uint64)(U)b);
    }
    static __device__ __forceinline__ float combine(float a, float b) { return __fmul_rn(a, b); }
    static __device__ __forceinline__ double combine(double a, double b) { return __dmul_rn(a, b); }
};

struct Min {
    static constexpr bool kSelects = true;
    template <class T>
    static __device__ __forceinline__ T combine(T a, T b) {
        return b < a ? b : a;
    }
    static __device__ __forceinline__ float combine(float a, float b) { return minimum(a, b); }
    static __device__ __forceinline__ double combine(double a, double b) { return minimum(a, b); }
};

struct Max {
    static constexpr bool kSelects = true;
    template <class T>
    static __device__ __forceinline__ T combine(T a, T b) {
        return a < b ? b : a;
    }
    static __device__ __forceinline__ float combine(float a, float b) { return maximum(a, b); }
    static __device__ __forceinline__ double combine(double a, double b) { return maximum(a, b); }
};

struct BitAnd {
    static constexpr bool kSelects = false;
    template <class T>
    static __device__ __forceinline__ T combine(T a, T b) {
        return (T)(a & b);
    }
};

struct BitOr {
    static constexpr bool kSelects = false;
    template <class T>
    static __device__ __forceinline__ T combine(T a, T b) {
        return (T)(a | b);
    }
};

struct BitXor {
    static constexpr bool kSelects = false;
    template <class T>
    static __device__ __forceinline__ T combine(T a, T b) {
        return (T)(a ^ b);
    }
};

} // namespace mscclj
