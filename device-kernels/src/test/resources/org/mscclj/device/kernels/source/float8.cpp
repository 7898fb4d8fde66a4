// Compares the conversions of fp8 in integer arithmetic with the definitions of the formats: each encoding, and numbers
// at, between and beside the boundaries of rounding.
//
// Exits with 0 if all are right; otherwise prints some of the wrong ones.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <initializer_list>

#define __device__
#define __forceinline__ inline

static unsigned __float_as_uint(float value) {
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float __uint_as_float(unsigned bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#include "mscclj/types.cuh"

namespace mscclj {
template <int Mantissa>
struct Float8Instructions {
    static constexpr bool kAreOcp = false;
    static constexpr bool kAreFnuz = false;
};
static uint16 narrowFloat16(float) { return 0; }
static uint16 narrowBfloat16(float) { return 0; }
static float widenFloat16(uint16) { return 0; }
} // namespace mscclj

#include "mscclj/element.cuh"

using namespace mscclj;

static int wrong;

struct Format {
    const char* name;
    int mantissa, bias, largest; // encoding of the largest number
    int infinity, nan;           // 0: there is no infinity
};

// What an encoding means.
static double meaning(const Format& format, int encoding) {
    const int magnitude = encoding & 0x7f;
    if (format.nan == 0x80 ? encoding == 0x80 : magnitude > format.largest) {
        return format.infinity != 0 && magnitude == format.infinity ? (encoding & 0x80 ? -INFINITY : INFINITY) : NAN;
    }
    const int exponent = magnitude >> format.mantissa;
    const int fraction = magnitude & ((1 << format.mantissa) - 1);
    const double digits = fraction + (exponent == 0 ? 0 : 1 << format.mantissa);
    const double value = ldexp(digits, (exponent == 0 ? 1 : exponent) - format.bias - format.mantissa);
    return encoding & 0x80 ? -value : value;
}

// The nearest encoding, the even one of two that are equally near, by comparing with all.
static int nearest(const Format& format, float value) {
    if (isnan(value)) {
        return format.nan;
    }
    const double magnitude = fmin(fabs((double)value), meaning(format, format.largest));
    int best = 0;
    for (int encoding = 1; encoding <= format.largest; encoding++) {
        const double difference = fabs(meaning(format, encoding) - magnitude) - fabs(meaning(format, best) - magnitude);
        best = difference < 0 || (difference == 0 && encoding % 2 == 0) ? encoding : best;
    }
    return signbit(value) && (best != 0 || format.nan != 0x80) ? best | 0x80 : best;
}

template <class Element>
static void expectNarrow(const Format& format, float value) {
    const int right = nearest(format, value);
    const int given = Element::narrow(value);
    if (given != right && wrong++ < 20) {
        printf("%s: %a becomes %02x, and right is %02x\n", format.name, value, given, right);
    }
}

template <class Element>
static void check(const Format& format) {
    for (int encoding = 0; encoding < 256; encoding++) {
        const double right = meaning(format, encoding);
        const float given = Element::widen((uint8)encoding);
        const bool same = isnan(right) ? isnan(given) : (double)given == right && signbit(given) == signbit(right);
        if (!same && wrong++ < 20) {
            printf("%s: %02x is %a, and right is %a\n", format.name, encoding, given, right);
        }
    }
    for (int encoding = 0; encoding <= format.largest; encoding++) {
        const double here = meaning(format, encoding);
        const double next = encoding == format.largest ? 2 * here : meaning(format, encoding + 1);
        for (double value : {here, (here + next) / 2, here * 0.7 + next * 0.3, here * 0.3 + next * 0.7}) {
            const float exact = (float)value;
            for (float one : {exact, nextafterf(exact, 0), nextafterf(exact, INFINITY)}) {
                expectNarrow<Element>(format, one);
                expectNarrow<Element>(format, -one);
            }
        }
    }
    for (uint32 bits = 0; bits < 0xfff00000u; bits += 0x3ffff) {
        expectNarrow<Element>(format, __uint_as_float(bits));
    }
    for (float value : {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 3e38f, 1e-45f, -1e-45f}) {
        expectNarrow<Element>(format, value);
    }
}

int main() {
    check<Float8E4m3Element>({"e4m3", 3, 7, 0x7e, 0, 0x7f});
    check<Float8E5m2Element>({"e5m2", 2, 15, 0x7b, 0x7c, 0x7f});
    check<Float8E4m3FnuzElement>({"e4m3fnuz", 3, 8, 0x7f, 0, 0x80});
    check<Float8E5m2FnuzElement>({"e5m2fnuz", 2, 16, 0x7f, 0, 0x80});
    return wrong == 0 ? 0 : 1;
}
