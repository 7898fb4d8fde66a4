/* Reductions of the stand-in. */
#include "stand_in.h"

size_t size_of(int type) {
    static const size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
    return type < 0 || type > 11 ? 0 : sizes[type];
}

static int is_narrow(int type) {
    return type == 6 || type == 9 || type == 10 || type == 11;
}

static float power(int exponent) {
    uint32_t bits = (uint32_t)(exponent + 127) << 23;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Of floats of 8 and 16 bits: float16 is type 6, bfloat16 9, E4M3 10 and E5M2 11. */
static float widened(uint16_t bits, int type) {
    if (type == 9) {
        uint32_t wide = (uint32_t)bits << 16;
        float value;
        memcpy(&value, &wide, sizeof value);
        return value;
    }
    int places = type == 6 ? 10 : type == 10 ? 3 : 2, width = type == 6 ? 16 : 8, bias = type == 10 ? 7 : 15;
    int exponent = (bits & ((1 << (width - 1)) - 1)) >> places, rest = bits & ((1 << places) - 1);
    float size = exponent == 0 ? (float)rest * power(1 - bias - places)
            : (float)(rest + (1 << places)) * power(exponent - bias - places);
    if (type == 10 ? exponent == 15 && rest == 7 : exponent == 31) {
        size = rest == 0 ? __builtin_inff() : __builtin_nanf("");
    }
    return bits >> (width - 1) ? -size : size;
}

/* The nearest value, the even one of two. Floats of 8 bits have no sums that are infinite. */
static uint16_t narrowed(float value, int type) {
    static const struct {
        uint16_t sign, largest, beyond, nan;
    } forms[] = {[6] = {0x8000, 0x7bff, 0x7c00, 0x7e00}, [10] = {0x80, 0x7e, 0x7e, 0x7f}, [11] = {0x80, 0x7b, 0x7b, 0x7e}};
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (type == 9) {
        return value != value ? 0x7fc0 : (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    }
    uint16_t sign = bits >> 31 ? forms[type].sign : 0, below = 0, above = forms[type].largest;
    float size = value < 0 ? -value : value, most = widened(above, type);
    if (value != value) {
        return sign | forms[type].nan;
    }
    if (size >= most) {
        float step = most - widened(above - 1, type);
        return sign | (size < most + step / 2 ? above : forms[type].beyond);
    }
    while (above - below > 1) {
        uint16_t middle = (uint16_t)((below + above) / 2);
        if (widened(middle, type) <= size) {
            below = middle;
        } else {
            above = middle;
        }
    }
    float down = size - widened(below, type), up = widened(above, type) - size;
    return sign | (down < up || (down == up && below % 2 == 0) ? below : above);
}

double factor_of(const call *own) {
    if (own->op < FIRST_CREATED_OP || own->factor == NULL) {
        return 1;
    }
    switch (own->type) {
        case 0: return *(const int8_t *)own->factor;
        case 1: return *(const uint8_t *)own->factor;
        case 2: return *(const int32_t *)own->factor;
        case 3: return *(const uint32_t *)own->factor;
        case 5: return (double)*(const uint64_t *)own->factor;
        case 4: return (double)*(const int64_t *)own->factor;
        case 7: return *(const float *)own->factor;
        case 8: return *(const double *)own->factor;
        case 6: case 9: return widened(*(const uint16_t *)own->factor, own->type);
        case 10: case 11: return widened(*(const uint8_t *)own->factor, own->type);
        default: return 1;
    }
}

#define COMBINE(T)                                                             \
    do {                                                                       \
        T *a = (T *)into;                                                      \
        const T *b = (const T *)from;                                          \
        for (size_t i = 0; i < count; i++) {                                   \
            switch (op) {                                                      \
                case 0: case 4: a[i] = (T)(a[i] + b[i]); break;                \
                case 1: a[i] = (T)(a[i] * b[i]); break;                        \
                case 2: a[i] = a[i] < b[i] ? b[i] : a[i]; break;               \
                case 3: a[i] = b[i] < a[i] ? b[i] : a[i]; break;               \
            }                                                                  \
        }                                                                      \
    } while (0)

#define SCALE(T)                                                               \
    do {                                                                       \
        T *a = (T *)into;                                                      \
        for (size_t i = 0; i < count; i++) {                                   \
            a[i] = (T)(a[i] * (T)factor);                                      \
        }                                                                      \
    } while (0)

#define FOR_TYPE(WHAT)                                                         \
    switch (type) {                                                            \
        case 0: WHAT(int8_t); break;                                           \
        case 1: WHAT(uint8_t); break;                                          \
        case 2: WHAT(int32_t); break;                                          \
        case 3: WHAT(uint32_t); break;                                         \
        case 4: WHAT(int64_t); break;                                          \
        case 5: WHAT(uint64_t); break;                                         \
        case 7: WHAT(float); break;                                            \
        case 8: WHAT(double); break;                                           \
        default: return failed(INVALID_ARGUMENT, "a type that the stand-in does not reduce"); \
    }

/* Floats of 8 and 16 bits as floats of 32 bits, and back. */
static float *widen(const char *from, size_t count, int type) {
    float *wide = malloc(count * sizeof *wide + 1);
    for (size_t i = 0; i < count; i++) {
        wide[i] = widened(type >= 10 ? ((const uint8_t *)from)[i] : ((const uint16_t *)from)[i], type);
    }
    return wide;
}

static void narrow(char *to, float *wide, size_t count, int type) {
    for (size_t i = 0; i < count; i++) {
        if (type >= 10) {
            ((uint8_t *)to)[i] = (uint8_t)narrowed(wide[i], type);
        } else {
            ((uint16_t *)to)[i] = narrowed(wide[i], type);
        }
    }
    free(wide);
}

static int combine(char *into, const char *from, size_t count, int type, int op) {
    if (is_narrow(type)) {
        float *a = widen(into, count, type), *b = widen(from, count, type);
        combine((char *)a, (const char *)b, count, 7, op);
        narrow(into, a, count, type);
        free(b);
        return SUCCESS;
    }
    FOR_TYPE(COMBINE)
    return SUCCESS;
}

static int scale(char *into, size_t count, int type, double factor) {
    if (is_narrow(type)) {
        float *a = widen(into, count, type);
        scale((char *)a, count, 7, factor);
        narrow(into, a, count, type);
        return SUCCESS;
    }
    FOR_TYPE(SCALE)
    return SUCCESS;
}

int reduced(communicator *comm, char *into, size_t offset, size_t count, int type) {
    size_t bytes = count * size_of(type);
    char *scaled = malloc(bytes + 1);
    int result = SUCCESS;
    int average = comm->members[0].notices[STREAMS].op == 4;
    for (int rank = 0; result == SUCCESS && rank < comm->ranks; rank++) {
        const notice *own = &comm->members[rank].notices[STREAMS];
        result = published(comm, rank, offset, scaled, bytes);
        if (result == SUCCESS && (own->op >= FIRST_CREATED_OP || average)) {
            result = scale(scaled, count, type, average ? 1.0 / comm->ranks : own->factor); /* averages too, as NCCL */
        }
        if (rank == 0) {
            memcpy(into, scaled, bytes);
        } else if (result == SUCCESS) {
            result = combine(into, scaled, count, type, own->op >= FIRST_CREATED_OP ? 0 : own->op);
        }
    }
    free(scaled);
    return result;
}
