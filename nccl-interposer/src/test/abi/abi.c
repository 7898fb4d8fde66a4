/* The library's picture of NCCL's binary interface against the nccl.h of a version: it compiles, or a line says what
 * differs. */
#include "abi.h"

#include <nccl.h>

#define SAME(own, theirs) _Static_assert((long)(own) == (long)(theirs), #own " is not " #theirs)

SAME(SUCCESS, ncclSuccess);
SAME(CUDA_ERROR, ncclUnhandledCudaError);
SAME(SYSTEM_ERROR, ncclSystemError);
SAME(INTERNAL_ERROR, ncclInternalError);
SAME(INVALID_ARGUMENT, ncclInvalidArgument);
SAME(INVALID_USAGE, ncclInvalidUsage);
SAME(REMOTE_ERROR, ncclRemoteError);
SAME(IN_PROGRESS, ncclInProgress);

SAME(SUM, ncclSum);
SAME(PRODUCT, ncclProd);
SAME(MAX, ncclMax);
SAME(MIN, ncclMin);
SAME(AVERAGE, ncclAvg);
SAME(OWN_REDUCTION, ncclNumOps);
SAME(ON_DEVICE, ncclScalarDevice);
SAME(ON_HOST, ncclScalarHostImmediate);
SAME(sizeof(unique_id), sizeof(ncclUniqueId));

/* The order of TYPE_WIDTHS. Types of eight bits came with 2.24. */
#if NCCL_VERSION_CODE >= 22403
SAME(TYPES, ncclNumTypes);
SAME(TYPES - 2, ncclFloat8e4m3);
SAME(TYPES - 1, ncclFloat8e5m2);
#else
SAME(TYPES - 2, ncclNumTypes);
#endif
SAME(0, ncclInt8);
SAME(1, ncclUint8);
SAME(2, ncclInt32);
SAME(3, ncclUint32);
SAME(4, ncclInt64);
SAME(5, ncclUint64);
SAME(6, ncclFloat16);
SAME(7, ncclFloat32);
SAME(8, ncclFloat64);
SAME(9, ncclBfloat16);

SAME(offsetof(config, size), offsetof(ncclConfig_t, size));
SAME(offsetof(config, magic), offsetof(ncclConfig_t, magic));
SAME(offsetof(config, version), offsetof(ncclConfig_t, version));
SAME(offsetof(config, blocking), offsetof(ncclConfig_t, blocking));
SAME(UNDEFINED, NCCL_CONFIG_UNDEF_INT);
#if NCCL_VERSION_CODE >= 22703
SAME(CONFIG_NAME_PLACE, offsetof(ncclConfig_t, commName));
#else
_Static_assert(sizeof(ncclConfig_t) <= CONFIG_NAME_PLACE, "a name may be in a version before 2.27");
#endif
#if NCCL_VERSION_CODE >= 22203
SAME(sizeof(simulation), sizeof(ncclSimInfo_t));
SAME(offsetof(simulation, version), offsetof(ncclSimInfo_t, version));
SAME(offsetof(simulation, estimated), offsetof(ncclSimInfo_t, estimatedTime));
#endif
SAME(NO_COLOUR, NCCL_SPLIT_NOCOLOR);

/* The numbers that NCCL_CONFIG_INITIALIZER writes. */
static const ncclConfig_t initialized = NCCL_CONFIG_INITIALIZER;

int main(void) {
    config own;
    __builtin_memcpy(&own, &initialized, sizeof own);
    return own.size == sizeof initialized && own.magic == CONFIG_MAGIC && own.version == NCCL_VERSION_CODE
            && own.blocking == UNDEFINED
        ? 0
        : 1;
}
