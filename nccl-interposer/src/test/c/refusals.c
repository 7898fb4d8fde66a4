/* What is wrong gets a code and a text. */
#include "ranks.h"
#include "scenarios.h"

#include <dlfcn.h>

typedef long no_words(void);

/* A name of NCCL that is not served. */
static long call_name(const char *name) {
    void *address = dlsym(RTLD_DEFAULT, name);
    HOLDS(address != NULL);
    no_words *call;
    memcpy(&call, &address, sizeof call);
    return call();
}

void run_refusals(void) {
    one_rank all[MOST_RANKS];
    long foreign[64] = {0};
    int value;
    HOLDS(strcmp(ncclGetErrorString(ncclSuccess), "no error") == 0);
    OK(ncclGetVersion(&value));
    HOLDS(value == 22809);
    open_ranks(all, 2, 100);
    ncclComm_t comm = all[0].comm;
    void *memory = all[0].input, *stream = all[0].stream;
    REFUSED(ncclCommCount(NULL, &value), ncclInvalidArgument, "is NULL");
    REFUSED(ncclCommCount((ncclComm_t)foreign, &value), ncclInvalidArgument, "not made by mscclj");
    REFUSED(ncclAllReduce(memory, memory, 1, ncclFloat32, ncclSum, (ncclComm_t)foreign, stream), ncclInvalidArgument,
        "not made by mscclj");
    REFUSED(ncclAllReduce(memory, memory, 1, 12, ncclSum, comm, stream), ncclInvalidArgument, "data type 12");
    REFUSED(ncclAllReduce(memory, memory, 1, ncclFloat32, 5, comm, stream), ncclInvalidArgument, "reduction 5");
    REFUSED(ncclAllReduce(memory, memory, SIZE_MAX / 2, ncclFloat32, ncclSum, comm, stream), ncclInvalidArgument,
        "elements");
    REFUSED(ncclBroadcast(memory, memory, 1, ncclFloat32, 2, comm, stream), ncclInvalidArgument, "rank 2");
    REFUSED(ncclSend(memory, 1, ncclFloat32, -1, comm, stream), ncclInvalidArgument, "rank -1");
    REFUSED(ncclAllReduce((void *)&value, memory, 1, ncclFloat32, ncclSum, comm, stream), ncclInvalidArgument,
        "foreign memory");
    ncclUniqueId id = {{0}};
    ncclComm_t other = comm;
    REFUSED(ncclCommInitRank(&other, 2, id, 0), ncclInvalidArgument, "unique id");
    HOLDS(other == NULL);
    OK(ncclGetUniqueId(&id));
    REFUSED(ncclCommInitRank(&other, 2, id, 2), ncclInvalidArgument, "rank 2 of 2");
    HOLDS(call_name("ncclCommGrow") == ncclInvalidUsage);
    HOLDS(strstr(ncclGetLastError(NULL), "ncclCommGrow") != NULL);
    HOLDS(call_name("pncclDevCommCreate") == ncclInvalidUsage);
    close_ranks(all, 2);
    REFUSED(ncclAllReduce(memory, memory, 1, ncclFloat32, ncclSum, comm, stream), ncclInvalidArgument, "destroyed");
    REFUSED(ncclCommDestroy(comm), ncclInvalidArgument, "already");
}
