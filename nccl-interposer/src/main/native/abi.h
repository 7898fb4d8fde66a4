/*
 * NCCL's binary interface, as far as this library uses it: values, sizes and places that programs compiled against
 * NCCL 2.18 to 2.30 have.
 */
#ifndef MSCCLJ_INTERPOSER_ABI_H
#define MSCCLJ_INTERPOSER_ABI_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    SUCCESS = 0,
    CUDA_ERROR = 1,
    SYSTEM_ERROR = 2,
    INTERNAL_ERROR = 3,
    INVALID_ARGUMENT = 4,
    INVALID_USAGE = 5,
    REMOTE_ERROR = 6,
    IN_PROGRESS = 7
} result;

enum { TYPES = 12 };

/* Reductions that NCCL defines; numbers from OWN_REDUCTION on are those of ncclRedOpCreatePreMulSum. */
enum { SUM = 0, PRODUCT = 1, MAX = 2, MIN = 3, AVERAGE = 4, OWN_REDUCTION = 5 };

/* Where the factor of ncclRedOpCreatePreMulSum is. */
enum { ON_DEVICE = 0, ON_HOST = 1 };

/* The colour of a rank that takes no part in ncclCommSplit. */
enum { NO_COLOUR = -1 };

typedef struct {
    char bytes[128];
} unique_id;

/* The begin of ncclConfig_t, which is equal in all versions; later fields are read by their place. */
typedef struct {
    size_t size;
    unsigned int magic;
    unsigned int version;
    int blocking;
} config;

enum { CONFIG_MAGIC = 0xcafebeef, CONFIG_FIRST = 21400, CONFIG_WITH_NAME = 22700, CONFIG_NAME_PLACE = 48 };
enum { UNDEFINED = INT32_MIN };

typedef struct {
    size_t size;
    unsigned int magic;
    unsigned int version;
    float estimated;
} simulation;

#endif
