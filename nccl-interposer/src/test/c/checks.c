/* What tests check, elements of all types, and how processes find each other. */
#include "program.h"

void expect_result(int result, int expected, const char *call, const char *file, int line) {
    if (result != expected) {
        fprintf(stderr, "%s:%d: %s is %d (%s), not %d: %s\n", file, line, call, result, ncclGetErrorString(result),
            expected, ncclGetLastError(NULL));
        exit(1);
    }
}

void expect_refusal(int result, int expected, const char *part, const char *call, const char *file, int line) {
    expect_result(result, expected, call, file, line);
    if (strstr(ncclGetLastError(NULL), part) == NULL) {
        fprintf(stderr, "%s:%d: the text of %s lacks \"%s\": %s\n", file, line, call, part, ncclGetLastError(NULL));
        exit(1);
    }
}

void expect_true(bool condition, const char *text, const char *file, int line) {
    if (!condition) {
        fprintf(stderr, "%s:%d: not so: %s\n", file, line, text);
        exit(1);
    }
}

int width(int type) {
    static const int widths[TYPES] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
    return widths[type];
}

/* The bits of a whole number from 0 to 8 as a floating-point number with a sign, an exponent and a mantissa. */
static uint64_t bits(int number, int mantissa, int bias) {
    if (number == 0) {
        return 0;
    }
    int exponent = 31 - __builtin_clz((unsigned)number);
    uint64_t rest = (uint64_t)number - (1ull << exponent);
    return ((uint64_t)(exponent + bias) << mantissa) | (rest << mantissa >> exponent);
}

static uint64_t encode(int type, int number) {
    switch (type) {
        case ncclFloat16:
            return bits(number, 10, 15);
        case ncclFloat32:
            return bits(number, 23, 127);
        case ncclFloat64:
            return bits(number, 52, 1023);
        case ncclBfloat16:
            return bits(number, 7, 127);
        case ncclFloat8e4m3:
            return bits(number, 3, 7);
        case ncclFloat8e5m2:
            return bits(number, 2, 15);
        default:
            return (uint64_t)number;
    }
}

void put(void *array, long index, int type, int number) {
    uint64_t element = encode(type, number);
    memcpy((char *)array + index * width(type), &element, (size_t)width(type));
}

bool is(const void *array, long index, int type, int number) {
    uint64_t element = encode(type, number);
    return memcmp((const char *)array + index * width(type), &element, (size_t)width(type)) == 0;
}

ncclUniqueId shared_id(const char *file, int rank) {
    ncclUniqueId id;
    if (rank == 0) {
        char beside[4096];
        OK(ncclGetUniqueId(&id));
        snprintf(beside, sizeof beside, "%s.new", file);
        FILE *out = fopen(beside, "w");
        HOLDS(out != NULL && fwrite(&id, sizeof id, 1, out) == 1 && fclose(out) == 0 && rename(beside, file) == 0);
        return id;
    }
    FILE *in;
    while ((in = fopen(file, "r")) == NULL) {
        usleep(10000);
    }
    HOLDS(fread(&id, sizeof id, 1, in) == 1);
    fclose(in);
    return id;
}
