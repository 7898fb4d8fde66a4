/* Reductions of the stand-in. */
#include "stand_in.h"

size_t size_of(int type) {
    static const size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
    return type < 0 || type > 11 ? 0 : sizes[type];
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

static int combine(char *into, const char *from, size_t count, int type, int op) {
    FOR_TYPE(COMBINE)
    return SUCCESS;
}

static int scale(char *into, size_t count, int type, double factor) {
    FOR_TYPE(SCALE)
    return SUCCESS;
}

int reduced(communicator *comm, char *into, size_t offset, size_t count, int type) {
    group *g = comm->group;
    size_t bytes = count * size_of(type);
    char *scaled = malloc(bytes + 1);
    int result = SUCCESS;
    for (int rank = 0; result == SUCCESS && rank < g->ranks; rank++) {
        call *own = &g->slots[rank];
        memcpy(scaled, (const char *)own->from + offset, bytes);
        if (own->op >= FIRST_CREATED_OP) {
            result = scale(scaled, count, type, own->factor);
        }
        if (rank == 0) {
            memcpy(into, scaled, bytes);
        } else if (result == SUCCESS) {
            result = combine(into, scaled, count, type, own->op >= FIRST_CREATED_OP ? 0 : own->op);
        }
    }
    free(scaled);
    return result == SUCCESS && g->slots[0].op == 4 ? scale(into, count, type, 1.0 / g->ranks) : result;
}
