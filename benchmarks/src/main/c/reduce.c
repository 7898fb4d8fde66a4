/*
 * The loops with which the Java reductions are compared: straightforward C with restrict pointers, optimised by the
 * compiler only. Built by reduce.sh as a shared library; lengths are in elements.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SUM(name, type)                                                                               \
    void name##_sum2(type *restrict d, const type *restrict a, const type *restrict b, size_t n) {    \
        for (size_t i = 0; i < n; i++) d[i] = a[i] + b[i];                                            \
    }                                                                                                 \
    void name##_sum4(type *restrict d, const type *restrict a, const type *restrict b,                \
                     const type *restrict c, const type *restrict e, size_t n) {                      \
        for (size_t i = 0; i < n; i++) d[i] = a[i] + b[i] + c[i] + e[i];                              \
    }

SUM(float32, float)
SUM(float64, double)
SUM(int32, uint32_t) /* unsigned: wraps by definition */

void float16_sum2(_Float16 *restrict d, const _Float16 *restrict a, const _Float16 *restrict b, size_t n) {
    for (size_t i = 0; i < n; i++) d[i] = (_Float16)((float)a[i] + (float)b[i]);
}

void float16_sum4(_Float16 *restrict d, const _Float16 *restrict a, const _Float16 *restrict b,
                  const _Float16 *restrict c, const _Float16 *restrict e, size_t n) {
    for (size_t i = 0; i < n; i++) d[i] = (_Float16)((float)a[i] + (float)b[i] + (float)c[i] + (float)e[i]);
}

static inline float widen(uint16_t x) {
    uint32_t bits = (uint32_t)x << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint16_t narrow(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return f != f ? 0x7fc0 : (uint16_t)rounded;
}

void bfloat16_sum2(uint16_t *restrict d, const uint16_t *restrict a, const uint16_t *restrict b, size_t n) {
    for (size_t i = 0; i < n; i++) d[i] = narrow(widen(a[i]) + widen(b[i]));
}

void bfloat16_sum4(uint16_t *restrict d, const uint16_t *restrict a, const uint16_t *restrict b,
                   const uint16_t *restrict c, const uint16_t *restrict e, size_t n) {
    for (size_t i = 0; i < n; i++) d[i] = narrow(widen(a[i]) + widen(b[i]) + widen(c[i]) + widen(e[i]));
}
