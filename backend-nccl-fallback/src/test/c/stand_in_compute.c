/* Reductions of the stand-in. */
#include "stand_in.h"

size_t size_of(int type) {
    static const size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
    return type < 0 || type > 11 ? 0 : sizes[type];
}

/* Of 16 bits: float16 is type 6, bfloat16 type 9. */
static float widened(uint16_t bits, int type) {
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    if (type == 6) {
        uint32_t exponent = bits >> 10 & 31, rest = bits & 1023;
        if (exponent == 0) {
            value = (float)rest / (1 << 24);
            return bits >> 15 ? -value : value;
        }
        wide = (uint32_t)(bits & 0x8000) << 16 | (exponent == 31 ? 255 : exponent + 112) << 23 | rest << 13;
    }
    memcpy(&value, &wide, sizeof value);
    return value;
}

double factor_of(const call *own) {
    if (own->op < FIRST_CREATED_OP || own->factor == NULL) {
        return 1;
    }
    switch (own->type) {
        case 2: return *(const int32_t *)own->factor;
        case 4: return (double)*(const int64_t *)own->factor;
        case 7: return *(const float *)own->factor;
        case 8: return *(const double *)own->factor;
        case 6: case 9: return widened(*(const uint16_t *)own->factor, own->type);
        default: return 1;
    }
}

/* The nearest value, the even one of two; by all bits, which are few. */
static uint16_t narrowed(float value, int type) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (type == 9) {
        return value != value ? 0x7fc0 : (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    }
    uint16_t sign = bits >> 16 & 0x8000;
    float size = value < 0 ? -value : value;
    if (value != value) {
        return sign | 0x7e00;
    }
    if (size >= 65520) {
        return sign | 0x7c00;
    }
    uint16_t below = 0, above = 0x7c00;
    while (above - below > 1) {
        uint16_t middle = (uint16_t)((below + above) / 2);
        if (widened(middle, 6) <= size) {
            below = middle;
        } else {
            above = middle;
        }
    }
    float down = size - widened(below, 6), up = (above == 0x7c00 ? 65536 : widened(above, 6)) - size;
    return sign | (down < up || (down == up && below % 2 == 0) ? below : above);
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

/* Elements of 16 bits as floats, and back. */
static float *widen(const char *from, size_t count, int type) {
    float *wide = malloc(count * sizeof *wide + 1);
    for (size_t i = 0; i < count; i++) {
        wide[i] = widened(((const uint16_t *)from)[i], type);
    }
    return wide;
}

static void narrow(char *to, float *wide, size_t count, int type) {
    for (size_t i = 0; i < count; i++) {
        ((uint16_t *)to)[i] = narrowed(wide[i], type);
    }
    free(wide);
}

static int combine(char *into, const char *from, size_t count, int type, int op) {
    if (type == 6 || type == 9) {
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
    if (type == 6 || type == 9) {
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
        if (result == SUCCESS && own->op >= FIRST_CREATED_OP) {
            result = scale(scaled, count, type, own->factor);
        }
        if (rank == 0) {
            memcpy(into, scaled, bytes);
        } else if (result == SUCCESS) {
            result = combine(into, scaled, count, type, own->op >= FIRST_CREATED_OP ? 0 : own->op);
        }
    }
    free(scaled);
    return result == SUCCESS && average ? scale(into, count, type, 1.0 / comm->ranks) : result;
}
