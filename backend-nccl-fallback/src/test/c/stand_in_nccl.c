/*
 * A stand-in for libnccl.so.2: the functions that the binding uses, between threads and processes of one machine.
 * Memory of the stand-in for libcuda.so.1 is used in the order of its streams. Without that driver, memory is that of
 * the host, and calls are carried out by the caller, which waits for all ranks. Functions and structures are those of
 * VERSION. With RCCL it is librccl.so.1, on a HIP that is CUDA underneath, and with STANDS_IN a library that stands in
 * for NCCL.
 */
#include "stand_in_calls.h"

#include <stddef.h>
#include <unistd.h>

communicator *new_communicator(const uint64_t *id, int ranks, int rank, int blocking) {
    communicator *c = calloc(1, sizeof *c);
    memcpy(c->id, id, sizeof c->id);
    c->ranks = ranks;
    c->rank = rank;
    c->blocking = blocking;
    pthread_mutex_init(&c->turn, NULL);
    count_live(COMMUNICATORS, 1);
    return c;
}

EXPORT int ncclGetVersion(int *version) {
    *version = VERSION;
    return SUCCESS;
}

EXPORT const char *ncclGetErrorString(int result) {
    switch (result) {
        case SUCCESS: return "no error";
        case SYSTEM_ERROR: return "unhandled system error";
        case INTERNAL_ERROR: return "internal error";
        case INVALID_ARGUMENT: return "invalid argument";
        case INVALID_USAGE: return "invalid usage";
        case REMOTE_ERROR: return "remote process exited or there was a network error";
        case IN_PROGRESS: return "NCCL operation in progress";
        default: return "unknown result code";
    }
}

#if VERSION >= 21304
EXPORT const char *ncclGetLastError(communicator *comm) {
    USES(comm);
    return last_error;
}
#endif

/* All bytes follow from the first ones, so that an id which is not passed whole is recognised. */
static void fill_id(unique_id *id) {
    for (int i = 16; i < 128; i++) {
        id->internal[i] = (char)(id->internal[i % 16] * 31 + i * 7 + 1);
    }
}

EXPORT int ncclGetUniqueId(unique_id *id) {
    INJECTED(NULL, 0);
    static uint64_t last;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t key[2] = {
        (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec,
        (uint64_t)getpid() << 32 | __atomic_add_fetch(&last, 1, __ATOMIC_SEQ_CST)};
    memcpy(id->internal, key, sizeof key);
    fill_id(id);
    return SUCCESS;
}

static int init(communicator **comm, int ranks, unique_id id, int rank, int blocking) {
    unique_id whole = id;
    fill_id(&whole);
    if (memcmp(&whole, &id, sizeof id) != 0) {
        return failed(INVALID_ARGUMENT, "the unique id is nobody's");
    }
    if (ranks < 1 || ranks > MOST_RANKS || rank < 0 || rank >= ranks) {
        return failed(INVALID_ARGUMENT, "no such rank");
    }
    uint64_t key[2];
    memcpy(key, id.internal, sizeof key);
    communicator *c = new_communicator(key, ranks, rank, blocking);
    c->context = current_context();
    call own = {.kind = INIT};
    int result = submit(c, own);
    if (result != SUCCESS && result != IN_PROGRESS) {
        free_communicator(c);
        return result;
    }
    *comm = c;
    return result;
}

EXPORT int ncclCommInitRank(communicator **comm, int ranks, unique_id id, int rank) {
    INJECTED(NULL, 0);
    return init(comm, ranks, id, rank, 1);
}

#if VERSION >= 21403
/* Every field but one is left to NCCL. */
static int is_config(const config *given) {
    config expected;
    memset(&expected, 0, sizeof expected);
    expected.size = sizeof expected;
    expected.magic = 0xcafebeef;
    expected.version = VERSION;
    expected.blocking = given->blocking;
#if VERSION >= 21700
    expected.cgaClusterSize = expected.minCTAs = expected.maxCTAs = INT_MIN;
#endif
#if VERSION >= 21800
    expected.splitShare = INT_MIN;
#endif
#if VERSION >= 22600
    expected.trafficClass = INT_MIN;
#endif
#if VERSION >= 22700
    expected.collnetEnable = expected.CTAPolicy = expected.shrinkShare = expected.nvlsCTAs = INT_MIN;
#endif
#if VERSION >= 22800
    expected.nChannelsPerNetPeer = expected.nvlinkCentricSched = INT_MIN;
#endif
#if VERSION >= 22900
    expected.graphUsageMode = expected.numRmaCtx = INT_MIN;
#endif
#if VERSION >= 23000
    expected.maxP2pPeers = INT_MIN;
#endif
#if VERSION >= 23007
    expected.graphStreamOrdering = INT_MIN;
#endif
    return given->size == sizeof expected && memcmp(given, &expected, sizeof expected) == 0
            && (given->blocking == 0 || given->blocking == 1);
}

EXPORT int ncclCommInitRankConfig(communicator **comm, int ranks, unique_id id, int rank, config *given) {
    INJECTED(NULL, 0);
    if (!is_config(given)) {
        return failed(INVALID_ARGUMENT, "not the configuration of this version");
    }
    return init(comm, ranks, id, rank, given->blocking);
}

/* For tests: the offset of a field of the configuration, or its size for ""; -1 if there is no such field. */
EXPORT long stand_in_config(const char *field) {
#define AT(NAME)                                                               \
    if (strcmp(field, #NAME) == 0) {                                           \
        return offsetof(config, NAME);                                         \
    }
    AT(size) AT(magic) AT(version) AT(blocking)
#if VERSION >= 21700
    AT(cgaClusterSize) AT(minCTAs) AT(maxCTAs) AT(netName)
#endif
#if VERSION >= 21800
    AT(splitShare)
#endif
#if VERSION >= 22600
    AT(trafficClass)
#endif
#if VERSION >= 22700
    AT(commName) AT(collnetEnable) AT(CTAPolicy) AT(shrinkShare) AT(nvlsCTAs)
#endif
#if VERSION >= 22800
    AT(nChannelsPerNetPeer) AT(nvlinkCentricSched)
#endif
#if VERSION >= 22900
    AT(graphUsageMode) AT(numRmaCtx)
#endif
#if VERSION >= 23000
    AT(maxP2pPeers)
#endif
#if VERSION >= 23007
    AT(graphStreamOrdering)
#endif
    return *field == 0 ? (long)sizeof(config) : -1;
}

EXPORT int ncclCommFinalize(communicator *comm) {
    BEGIN(comm);
    call own = {.kind = FINALIZE};
    return submit(comm, own);
}
#endif

EXPORT int ncclCommDestroy(communicator *comm) {
    USES(comm);
    INJECTED(NULL, 0);
    if (__atomic_load_n(&comm->state, __ATOMIC_SEQ_CST) == IN_PROGRESS) {
        return failed(INVALID_ARGUMENT, "a call is in progress");
    }
    await_streams(comm);
    free_communicator(comm);
    return SUCCESS;
}

/* Versions before 2.19.1 free the communicator while a thread of another caller works. */
EXPORT int ncclCommAbort(communicator *comm) {
    USES(comm);
    INJECTED(NULL, 0);
    __atomic_store_n(&comm->aborted, 1, __ATOMIC_SEQ_CST);
    if (VERSION < 21901 && !is_own(comm)) {
        count_live(MISUSES, __atomic_load_n(&comm->working, __ATOMIC_SEQ_CST));
    }
    while (__atomic_load_n(&comm->working, __ATOMIC_SEQ_CST) || __atomic_load_n(&comm->at_work, __ATOMIC_SEQ_CST)) {
        nap();
    }
    free_communicator(comm);
    return SUCCESS;
}

EXPORT int ncclCommGetAsyncError(communicator *comm, int *error) {
    USES(comm);
    int state = __atomic_load_n(&comm->state, __ATOMIC_SEQ_CST);
    int reported = __atomic_load_n(&comm->reported, __ATOMIC_SEQ_CST);
    *error = state == SUCCESS ? reported : state;
    return SUCCESS;
}

EXPORT int ncclCommUserRank(communicator *comm, int *rank) {
    USES(comm);
    *rank = comm->rank;
    return SUCCESS;
}

EXPORT int ncclCommCount(communicator *comm, int *count) {
    USES(comm);
    *count = comm->ranks;
    return SUCCESS;
}

#if VERSION >= 21801
EXPORT int ncclCommSplit(communicator *comm, int colour, int key, communicator **made, config *given) {
    BEGIN(comm);
    if (given != NULL) {
        return failed(INVALID_ARGUMENT, "the stand-in splits with the configuration of the parent");
    }
    call own = {.kind = SPLIT, .peer = colour, .key = key, .result = (void **)made};
    return submit(comm, own);
}
#endif

#if VERSION >= 22703
EXPORT int ncclCommShrink(
        communicator *comm, int *excluded, int count, communicator **made, config *given, int flags) {
    BEGIN(comm);
    if (given != NULL || count < 1 || flags < 0 || flags > 1) {
        return failed(INVALID_ARGUMENT, "a configuration, no rank to exclude, or no such flag");
    }
    call own = {.kind = SHRINK, .from = excluded, .count = count, .result = (void **)made};
    return submit(comm, own);
}
#endif

EXPORT int ncclAllReduce(const void *from, void *to, size_t count, int type, int op, communicator *comm, void *stream) {
    BEGIN(comm);
    call own = {.kind = ALL_REDUCE, .from = from, .to = to, .count = count, .type = type, .op = op, .stream = stream};
    return submit(comm, own);
}

EXPORT int ncclReduceScatter(
        const void *from, void *to, size_t count, int type, int op, communicator *comm, void *stream) {
    BEGIN(comm);
    call own = {
        .kind = REDUCE_SCATTER, .from = from, .to = to, .count = count, .type = type, .op = op, .stream = stream};
    return submit(comm, own);
}

EXPORT int ncclReduce(
        const void *from, void *to, size_t count, int type, int op, int root, communicator *comm, void *stream) {
    BEGIN(comm);
    call own = {
        .kind = REDUCE, .from = from, .to = to, .count = count, .type = type, .op = op, .peer = root, .stream = stream};
    return submit(comm, own);
}

EXPORT int ncclAllGather(const void *from, void *to, size_t count, int type, communicator *comm, void *stream) {
    BEGIN(comm);
    call own = {.kind = ALL_GATHER, .from = from, .to = to, .count = count, .type = type, .stream = stream};
    return submit(comm, own);
}

EXPORT int ncclBroadcast(
        const void *from, void *to, size_t count, int type, int root, communicator *comm, void *stream) {
    BEGIN(comm);
    call own = {
        .kind = BROADCAST, .from = from, .to = to, .count = count, .type = type, .peer = root, .stream = stream};
    return submit(comm, own);
}

EXPORT int ncclSend(const void *from, size_t count, int type, int peer, communicator *comm, void *stream) {
    BEGIN(comm);
    call own = {.kind = SEND, .from = from, .count = count * size_of(type), .peer = peer, .stream = stream};
    return submit(comm, own);
}

EXPORT int ncclRecv(void *to, size_t count, int type, int peer, communicator *comm, void *stream) {
    BEGIN(comm);
    call own = {.kind = RECEIVE, .to = to, .count = count * size_of(type), .peer = peer, .stream = stream};
    return submit(comm, own);
}

#if VERSION >= 21104
/* A factor in host memory is copied; one in memory of the device is read when a call runs. */
EXPORT int ncclRedOpCreatePreMulSum(int *op, void *factor, int type, int on_host, communicator *comm) {
    BEGIN_HERE(comm);
    if (comm->created == MOST_CALLS) {
        return failed(INVALID_USAGE, "too many operations");
    }
    if (on_host) {
        void *copy = malloc(8);
        memcpy(copy, factor, size_of(type));
        factor = copy;
    }
    comm->factors[comm->created] = factor;
    *op = FIRST_CREATED_OP + comm->created++;
    count_live(OPERATIONS, 1);
    return SUCCESS;
}

EXPORT int ncclRedOpDestroy(int op, communicator *comm) {
    BEGIN_HERE(comm);
    int created = op - FIRST_CREATED_OP;
    if (created < 0 || created >= comm->created || comm->factors[created] == NULL) {
        return failed(INVALID_ARGUMENT, "no such operation");
    }
    comm->factors[created] = NULL;
    count_live(OPERATIONS, -1);
    return SUCCESS;
}
#endif

#if VERSION >= 21901
EXPORT int ncclMemAlloc(void **address, size_t bytes) {
    INJECTED(NULL, 0);
    int result = allocate(address, bytes);
    count_live(MEMORY, result == SUCCESS);
    return result;
}

EXPORT int ncclMemFree(void *address) {
    INJECTED(NULL, 0);
    int result = release(address);
    count_live(MEMORY, -(result == SUCCESS));
    return result;
}

EXPORT int ncclCommRegister(communicator *comm, void *address, size_t bytes, void **handle) {
    BEGIN_HERE(comm);
    (void)bytes;
    *handle = address;
    count_live(REGISTRATIONS, 1);
    return SUCCESS;
}

EXPORT int ncclCommDeregister(communicator *comm, void *handle) {
    BEGIN_HERE(comm);
    (void)handle;
    count_live(REGISTRATIONS, -1);
    return SUCCESS;
}
#endif

#if VERSION >= 22703
EXPORT int ncclCommWindowRegister(communicator *comm, void *address, size_t bytes, void **window, int flags) {
    BEGIN(comm);
    if (flags != 1) {
        return failed(INVALID_ARGUMENT, "not a symmetric window");
    }
    call own = {.kind = WINDOW, .from = address, .to = address, .count = bytes, .result = window};
    return submit(comm, own);
}

EXPORT int ncclCommWindowDeregister(communicator *comm, void *window) {
    BEGIN_HERE(comm);
    (void)window;
    count_live(WINDOWS, -1);
    return SUCCESS;
}
#endif

#ifdef RCCL
EXPORT int mscclLoadAlgo(void) {
    return SUCCESS;
}
#endif

#ifdef STANDS_IN
EXPORT int mscclj_stands_in_for_nccl = 1;
#endif
