/* ncclConfig_t of each version, and communicators that do not block. */
#include "program.h"
#include "scenarios.h"

#include <limits.h>

typedef struct {
    unsigned version;
    size_t size;
} form;

/* A structure of a version: all numbers are undefined, and all pointers NULL. */
static void initialize(char *config, form of) {
    int undefined = INT_MIN;
    unsigned magic = 0xcafebeef;
    memset(config, 0, 128);
    for (size_t at = 16; at < of.size; at += sizeof undefined) {
        memcpy(config + at, &undefined, sizeof undefined);
    }
    if (of.size >= 40) {
        memset(config + 32, 0, 8); /* netName */
    }
    if (of.size >= 56) {
        memset(config + 48, 0, 8); /* commName */
    }
    memcpy(config, &of.size, sizeof of.size);
    memcpy(config + 8, &magic, sizeof magic);
    memcpy(config + 12, &of.version, sizeof of.version);
}

static void open_alone(char *config) {
    ncclUniqueId id;
    ncclComm_t comm;
    int value;
    OK(ncclGetUniqueId(&id));
    OK(ncclCommInitRankConfig(&comm, 1, id, 0, (void *)config));
    OK(ncclCommCount(comm, &value));
    HOLDS(value == 1);
    OK(ncclCommDestroy(comm));
}

static void open_beside(char *config) {
    ncclUniqueId id;
    ncclComm_t comm;
    int blocking = 0;
    ncclResult_t state = ncclInProgress;
    memcpy(config + 16, &blocking, sizeof blocking);
    OK(ncclGetUniqueId(&id));
    ncclResult_t opening = ncclCommInitRankConfig(&comm, 1, id, 0, (void *)config);
    HOLDS(opening == ncclInProgress);
    while (state == ncclInProgress) {
        usleep(1000);
        OK(ncclCommGetAsyncError(comm, &state));
    }
    HOLDS(state == ncclSuccess);
    ncclResult_t finalized = ncclCommFinalize(comm);
    HOLDS(finalized == ncclInProgress || finalized == ncclSuccess);
    for (state = ncclInProgress; state == ncclInProgress; usleep(1000)) {
        OK(ncclCommGetAsyncError(comm, &state));
    }
    HOLDS(state == ncclSuccess);
    OK(ncclCommDestroy(comm));
}

void run_configurations(void) {
    static const form forms[] = {
        {21403, 24}, {21701, 40}, {21800, 48}, {22605, 48}, {22700, 72}, {22800, 80}, {22902, 88}, {23007, 96}};
    char config[128];
    ncclUniqueId id;
    ncclComm_t comm;
    use_device(0);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        initialize(config, forms[i]);
        open_alone(config);
    }
    initialize(config, forms[4]);
    const char *name = "trainers";
    memcpy(config + 48, &name, sizeof name);
    open_alone(config);
    open_beside(config);
    config[8] = 0;
    OK(ncclGetUniqueId(&id));
    REFUSED(ncclCommInitRankConfig(&comm, 1, id, 0, (void *)config), ncclInvalidArgument, "NCCL_CONFIG_INITIALIZER");
}
