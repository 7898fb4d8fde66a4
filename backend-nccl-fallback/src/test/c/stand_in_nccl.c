/*
 * A stand-in for libnccl.so.2: the functions that the binding uses, over host memory, between threads of one process.
 * Every rank calls from a thread of its own, and calls that block do so until all ranks have made them, so that there
 * are no streams. Functions and structures are those of VERSION. With RCCL it is librccl.so.1, and with STANDS_IN a
 * library that stands in for NCCL.
 */
#include "stand_in_calls.h"

#include <stddef.h>

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static group *table[1024];
static int table_size;

group *new_group(void) {
    group *g = calloc(1, sizeof *g);
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->changed, NULL);
    return g;
}

communicator *new_communicator(group *g, int rank, int blocking) {
    communicator *c = calloc(1, sizeof *c);
    c->group = g;
    c->rank = rank;
    c->blocking = blocking;
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

EXPORT int ncclGetUniqueId(unique_id *id) {
    INJECTED(NULL, 0);
    group *g = new_group();
    pthread_mutex_lock(&table_lock);
    /* Every byte counts, so that an id which is not passed whole is not found. */
    for (int i = 0; i < 128; i++) {
        g->id.internal[i] = (char)(table_size * 7 + i * 3 + 1 + (i == 5 ? table_size / 256 : 0));
    }
    table[table_size++ % 1024] = g;
    pthread_mutex_unlock(&table_lock);
    *id = g->id;
    return SUCCESS;
}

static int init(communicator **comm, int ranks, unique_id id, int rank, int blocking) {
    group *g = NULL;
    pthread_mutex_lock(&table_lock);
    for (int i = 0; i < table_size && i < 1024; i++) {
        if (memcmp(&table[i]->id, &id, sizeof id) == 0) {
            g = table[i];
        }
    }
    pthread_mutex_unlock(&table_lock);
    if (g == NULL) {
        return failed(INVALID_ARGUMENT, "the unique id is nobody's");
    }
    if (ranks < 1 || ranks > MOST_RANKS || rank < 0 || rank >= ranks) {
        return failed(INVALID_ARGUMENT, "no such rank");
    }
    pthread_mutex_lock(&g->lock);
    g->ranks = ranks;
    pthread_mutex_unlock(&g->lock);
    communicator *c = new_communicator(g, rank, blocking);
    call own = {.kind = INIT};
    int result = submit(c, own);
    if (result != SUCCESS && result != IN_PROGRESS) {
        count_live(COMMUNICATORS, -1);
        free(c);
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
    while (__atomic_load_n(&comm->working, __ATOMIC_SEQ_CST)) {
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
    *count = comm->group->ranks;
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
    *address = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    count_live(MEMORY, 1);
    return SUCCESS;
}

EXPORT int ncclMemFree(void *address) {
    INJECTED(NULL, 0);
    free(address);
    count_live(MEMORY, -1);
    return SUCCESS;
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
