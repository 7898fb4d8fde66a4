// Element types: the conversion between stored bits and the numbers of the computation. Integers wrap. float32 and
// float64 are computed as they are; narrower floating-point types are computed in float32 and rounded to nearest even
// when a result is stored, fp8 with saturation.
#pragma once
#include "mscclj/memory.cuh"

namespace mscclj {

template <class T>
struct IntegerElement {
    using Stored = T;
    using Number = T;
    static __device__ __forceinline__ Number widen(Stored value) { return value; }
    static __device__ __forceinline__ Stored narrow(Number value) { return value; }
    static __device__ __forceinline__ Stored narrowSelected(Number value) { return value; }
};

struct Float32Element {
    using Stored = float;
    using Number = float;
    static __device__ __forceinline__ Number widen(Stored value) { return value; }
    static __device__ __forceinline__ Stored narrow(Number value) { return value; }
    static __device__ __forceinline__ Stored narrowSelected(Number value) { return value; }
};

struct Float64Element {
    using Stored = double;
    using Number = double;
    static __device__ __forceinline__ Number widen(Stored value) { return value; }
    static __device__ __forceinline__ Stored narrow(Number value) { return value; }
    static __device__ __forceinline__ Stored narrowSelected(Number value) { return value; }
};

struct Float16Element {
    using Stored = uint16;
    using Number = float;
    static __device__ __forceinline__ Number widen(Stored value) { return widenFloat16(value); }
    static __device__ __forceinline__ Stored narrow(Number value) { return narrowFloat16(value); }
    static __device__ __forceinline__ Stored narrowSelected(Number value) { return narrow(value); }
};

struct Bfloat16Element {
    using Stored = uint16;
    using Number = float;
    static __device__ __forceinline__ Number widen(Stored value) { return __uint_as_float((uint32)value << 16); }
    static __device__ __forceinline__ Stored narrow(Number value) { return narrowBfloat16(value); }
    static __device__ __forceinline__ Stored narrowSelected(Number value) { return narrow(value); }
};

// fp8 in integer arithmetic, exact on every architecture, or by instructions of a device that has the format: those of
// OCP, and those without a negative zero, FNUZ, whose NaN is the encoding of a negative zero elsewhere.
//
// Mantissa: number of stored bits. Bias: bias of the exponent. LargestBits: the float32 bits that larger magnitudes
// become. Nan: encoding of NaN. Infinity: encoding of infinity, or 0 in a format without it.
template <int Mantissa, int Bias, uint32 LargestBits, uint32 Nan, uint32 Infinity>
struct Float8Element {
    using Stored = uint8;
    using Number = float;
    using Instructions = Float8Instructions<Mantissa>;
    static constexpr bool kHasNegativeZero = Nan != 0x80;
    static constexpr bool kIsByInstruction = kHasNegativeZero ? Instructions::kAreOcp : Instructions::kAreFnuz;

    static __device__ __forceinline__ Number widen(Stored value) {
        if constexpr (kIsByInstruction) {
            return Instructions::widen(value);
        }
        if (!kHasNegativeZero && value == Nan) {
            return __uint_as_float(0x7fc00000u);
        }
        uint32 magnitude = value & 0x7f;
        uint32 sign = (uint32)(value & 0x80) << 24;
        if (Infinity != 0 ? magnitude >= Infinity : magnitude == Nan) {
            return __uint_as_float(sign | (Infinity != 0 && magnitude == Infinity ? 0x7f800000u : 0x7fc00000u));
        }
        // As float32 bits, the encoding is a number 2^(127-Bias) times too small, including subnormals.
        float scale = __uint_as_float((uint32)(254 - Bias) << 23);
        return __uint_as_float(__float_as_uint(__uint_as_float(magnitude << (23 - Mantissa)) * scale) | sign);
    }

    static __device__ __forceinline__ Stored narrow(Number value) {
        uint32 bits = __float_as_uint(value);
        uint32 sign = (bits >> 24) & 0x80;
        uint32 magnitude = bits & 0x7fffffffu;
        if (magnitude > 0x7f800000u) {
            return (uint8)Nan;
        }
        if (magnitude > LargestBits) {
            magnitude = LargestBits;
        }
        if constexpr (kIsByInstruction) {
            return Instructions::narrow(__uint_as_float(magnitude | sign << 24));
        }
        constexpr uint32 kFirstNormal = (uint32)(128 - Bias) << 23;
        if (magnitude < kFirstNormal) {
            // The addition of the power of two whose last digit is the least subnormal rounds.
            constexpr uint32 kMagic = (uint32)(127 + 1 - Bias - Mantissa + 23) << 23;
            float rounded = __uint_as_float(magnitude) + __uint_as_float(kMagic);
            const uint32 subnormal = __float_as_uint(rounded) - kMagic;
            return (uint8)(kHasNegativeZero || subnormal != 0 ? subnormal | sign : 0);
        }
        constexpr int kShift = 23 - Mantissa;
        uint32 odd = (magnitude >> kShift) & 1;
        uint32 encoded = (magnitude - kFirstNormal + (1u << 23) + ((1u << (kShift - 1)) - 1) + odd) >> kShift;
        return (uint8)(encoded | sign);
    }

    // A contribution without conversion: infinity stays infinity.
    static __device__ __forceinline__ Stored narrowSelected(Number value) {
        uint32 bits = __float_as_uint(value);
        return Infinity != 0 && (bits & 0x7fffffffu) == 0x7f800000u ? (uint8)(Infinity | ((bits >> 24) & 0x80))
                                                                  : narrow(value);
    }
};

using Float8E4m3Element = Float8Element<3, 7, 0x43e00000u, 0x7fu, 0u>;     // up to 448
using Float8E5m2Element = Float8Element<2, 15, 0x47600000u, 0x7fu, 0x7cu>; // up to 57344

// For kernels of users: no data type of the host has these.
using Float8E4m3FnuzElement = Float8Element<3, 8, 0x43700000u, 0x80u, 0u>; // up to 240
using Float8E5m2FnuzElement = Float8Element<2, 16, 0x47600000u, 0x80u, 0u>; // up to 57344

using Int8Element = IntegerElement<int8>;
using Uint8Element = IntegerElement<uint8>;
using Int16Element = IntegerElement<int16>;
using Uint16Element = IntegerElement<uint16>;
using Int32Element = IntegerElement<int32>;
using Uint32Element = IntegerElement<uint32>;
using Int64Element = IntegerElement<int64>;
using Uint64Element = IntegerElement<uint64>;

} // namespace mscclj
