/*
 * A stand-in for libnccl.so.2: the functions that the binding uses, over host memory, between threads of one process. Every rank calls from a
 * thread of its own, and calls block until all ranks have made them, so that there are no streams. The ABI is that of NCCL 2.27.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RANKS 16
#define MOST_CALLS 64
#define BAD_STREAM ((void *)0xbad)
#define EXPORT __attribute__((visibility("default")))

typedef struct {
    char internal[128];
} unique_id;

enum { SUCCESS = 0, SYSTEM_ERROR = 2, INTERNAL_ERROR = 3, INVALID_ARGUMENT = 4, INVALID_USAGE = 5 };

typedef struct {
    const char *from;
    char *to;
    size_t count;
    int type;
    int op;
} slot;

/* Of ncclSend and ncclRecv. */
typedef struct {
    int send;
    int peer;
    size_t bytes;
    char *address;
    int taken;
} transfer;

typedef struct {
    unique_id id;
    int ranks;
    int joined;
    int closed;
    int aborted;
    slot slots[MOST_RANKS];
    transfer transfers[MOST_RANKS][MOST_CALLS];
    int transfer_counts[MOST_RANKS];
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int arrived;
    long rounds;
} group;

typedef struct {
    group *group;
    int rank;
} communicator;

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static group *table[256];
static int table_size;
static long live_communicators, live_memory, live_registrations, live_windows, live_waiting;

static __thread int depth;
static __thread communicator *grouped;
static __thread char last_error[128];

/* For tests: 0 communicators, 1 memory, 2 registrations, 3 windows, 4 calls that wait for peers. */
EXPORT long stand_in_live(int kind) {
    long *counts[] = {&live_communicators, &live_memory, &live_registrations, &live_windows, &live_waiting};
    return __atomic_load_n(counts[kind], __ATOMIC_SEQ_CST);
}

/* For tests: what the environment of the process says, as NCCL would see it. */
EXPORT const char *stand_in_environment(const char *name) {
    return getenv(name);
}

static int failed(int result, const char *why) {
    snprintf(last_error, sizeof last_error, "%s\n", why);
    return result;
}

static int meet(group *g) {
    pthread_mutex_lock(&g->lock);
    long round = g->rounds;
    if (++g->arrived == g->ranks) {
        g->arrived = 0;
        g->rounds++;
        pthread_cond_broadcast(&g->changed);
    }
    __atomic_add_fetch(&live_waiting, 1, __ATOMIC_SEQ_CST);
    while (g->rounds == round && !g->aborted) {
        pthread_cond_wait(&g->changed, &g->lock);
    }
    __atomic_sub_fetch(&live_waiting, 1, __ATOMIC_SEQ_CST);
    int aborted = g->aborted;
    pthread_mutex_unlock(&g->lock);
    return aborted ? failed(INTERNAL_ERROR, "aborted") : SUCCESS;
}

EXPORT int ncclGetVersion(int *version) {
    *version = 22705;
    return SUCCESS;
}

EXPORT const char *ncclGetErrorString(int result) {
    switch (result) {
        case SUCCESS: return "no error";
        case SYSTEM_ERROR: return "unhandled system error";
        case INTERNAL_ERROR: return "internal error";
        case INVALID_ARGUMENT: return "invalid argument";
        case INVALID_USAGE: return "invalid usage";
        default: return "unknown result code";
    }
}

EXPORT const char *ncclGetLastError(communicator *comm) {
    (void)comm;
    return last_error;
}

EXPORT int ncclGetUniqueId(unique_id *id) {
    group *g = calloc(1, sizeof *g);
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->changed, NULL);
    pthread_mutex_lock(&table_lock);
    /* Every byte counts, so that an id which is not passed whole is not found. */
    for (int i = 0; i < 128; i++) {
        g->id.internal[i] = (char)(table_size * 7 + i * 3 + 1);
    }
    table[table_size++] = g;
    pthread_mutex_unlock(&table_lock);
    *id = g->id;
    return SUCCESS;
}

EXPORT int ncclCommInitRank(communicator **comm, int ranks, unique_id id, int rank) {
    group *g = NULL;
    pthread_mutex_lock(&table_lock);
    for (int i = 0; i < table_size; i++) {
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
    communicator *c = malloc(sizeof *c);
    c->group = g;
    c->rank = rank;
    int result = meet(g);
    if (result != SUCCESS) {
        free(c);
        return result;
    }
    __atomic_add_fetch(&live_communicators, 1, __ATOMIC_SEQ_CST);
    *comm = c;
    return SUCCESS;
}

EXPORT int ncclCommDestroy(communicator *comm) {
    free(comm);
    __atomic_sub_fetch(&live_communicators, 1, __ATOMIC_SEQ_CST);
    return SUCCESS;
}

EXPORT int ncclCommAbort(communicator *comm) {
    group *g = comm->group;
    pthread_mutex_lock(&g->lock);
    g->aborted = 1;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
    __atomic_sub_fetch(&live_communicators, 1, __ATOMIC_SEQ_CST);
    return SUCCESS; /* not freed: a call of it may still return */
}

static size_t size_of(int type) {
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

#define DIVIDE(T)                                                              \
    do {                                                                       \
        T *a = (T *)into;                                                      \
        for (size_t i = 0; i < count; i++) {                                   \
            a[i] = (T)(a[i] / (T)ranks);                                       \
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

static int divide(char *into, size_t count, int type, int ranks) {
    FOR_TYPE(DIVIDE)
    return SUCCESS;
}

/* What all ranks must call alike. */
static int publish(communicator *comm, const void *from, void *to, size_t count, int type, int op, void *stream) {
    if (stream == BAD_STREAM) {
        return failed(INVALID_USAGE, "the stream is not one");
    }
    if (size_of(type) == 0 || op < 0 || op > 4) {
        return failed(INVALID_ARGUMENT, "no such type or operation");
    }
    slot own = {from, to, count, type, op};
    comm->group->slots[comm->rank] = own;
    int result = meet(comm->group);
    for (int rank = 0; result == SUCCESS && rank < comm->group->ranks; rank++) {
        slot *other = &comm->group->slots[rank];
        if (other->count != count || other->type != type || other->op != op) {
            result = failed(INVALID_USAGE, "the ranks' calls differ");
        }
    }
    return result;
}

/* Elements from an offset on of the reduction over all inputs. */
static int reduced(group *g, char *into, size_t offset, size_t count, int type, int op) {
    memcpy(into, g->slots[0].from + offset, count * size_of(type));
    int result = SUCCESS;
    for (int rank = 1; result == SUCCESS && rank < g->ranks; rank++) {
        result = combine(into, g->slots[rank].from + offset, count, type, op);
    }
    return result == SUCCESS && op == 4 ? divide(into, count, type, g->ranks) : result;
}

/* All have computed before any writes, and all have written before any goes on. */
static int store(communicator *comm, char *result, char *to, size_t bytes, int status) {
    int met = meet(comm->group);
    if (met == SUCCESS && status == SUCCESS && to != NULL) {
        memcpy(to, result, bytes);
    }
    free(result);
    int end = meet(comm->group);
    return status != SUCCESS ? status : met != SUCCESS ? met : end;
}

EXPORT int ncclAllReduce(
        const void *from, void *to, size_t count, int type, int op, communicator *comm, void *stream) {
    int status = publish(comm, from, to, count, type, op, stream);
    if (status != SUCCESS) {
        return status;
    }
    size_t bytes = count * size_of(type);
    char *result = malloc(bytes + 1);
    return store(comm, result, to, bytes, reduced(comm->group, result, 0, count, type, op));
}

EXPORT int ncclReduceScatter(
        const void *from, void *to, size_t count, int type, int op, communicator *comm, void *stream) {
    int status = publish(comm, from, to, count, type, op, stream);
    if (status != SUCCESS) {
        return status;
    }
    size_t bytes = count * size_of(type);
    char *result = malloc(bytes + 1);
    return store(comm, result, to, bytes, reduced(comm->group, result, comm->rank * bytes, count, type, op));
}

EXPORT int ncclReduce(
        const void *from, void *to, size_t count, int type, int op, int root, communicator *comm, void *stream) {
    int status = publish(comm, from, to, count, type, op, stream);
    if (status != SUCCESS) {
        return status;
    }
    size_t bytes = count * size_of(type);
    char *result = malloc(bytes + 1);
    status = reduced(comm->group, result, 0, count, type, op);
    return store(comm, result, comm->rank == root ? to : NULL, bytes, status);
}

EXPORT int ncclAllGather(const void *from, void *to, size_t count, int type, communicator *comm, void *stream) {
    int status = publish(comm, from, to, count, type, 0, stream);
    if (status != SUCCESS) {
        return status;
    }
    size_t bytes = count * size_of(type);
    char *result = malloc(bytes * comm->group->ranks + 1);
    for (int rank = 0; rank < comm->group->ranks; rank++) {
        memcpy(result + rank * bytes, comm->group->slots[rank].from, bytes);
    }
    return store(comm, result, to, bytes * comm->group->ranks, SUCCESS);
}

EXPORT int ncclBroadcast(
        const void *from, void *to, size_t count, int type, int root, communicator *comm, void *stream) {
    int status = publish(comm, from, to, count, type, 0, stream);
    if (status != SUCCESS) {
        return status;
    }
    size_t bytes = count * size_of(type);
    char *result = malloc(bytes + 1);
    memcpy(result, comm->group->slots[root].from, bytes);
    return store(comm, result, to, bytes, SUCCESS);
}

EXPORT int ncclGroupStart(void) {
    depth++;
    return SUCCESS;
}

static int enqueue(communicator *comm, int send, int peer, size_t bytes, char *address, void *stream) {
    group *g = comm->group;
    if (depth == 0) {
        return failed(INVALID_USAGE, "the stand-in sends and receives in groups alone");
    }
    if (stream == BAD_STREAM || peer < 0 || peer >= g->ranks) {
        return failed(INVALID_ARGUMENT, "no such peer, or no such stream");
    }
    transfer own = {send, peer, bytes, address, 0};
    g->transfers[comm->rank][g->transfer_counts[comm->rank]++] = own;
    grouped = comm;
    return SUCCESS;
}

EXPORT int ncclSend(const void *from, size_t count, int type, int peer, communicator *comm, void *stream) {
    return enqueue(comm, 1, peer, count * size_of(type), (char *)from, stream);
}

EXPORT int ncclRecv(void *to, size_t count, int type, int peer, communicator *comm, void *stream) {
    return enqueue(comm, 0, peer, count * size_of(type), to, stream);
}

/* Every rank of the communicator must take part, with a transfer at least. */
EXPORT int ncclGroupEnd(void) {
    if (--depth > 0 || grouped == NULL) {
        return SUCCESS;
    }
    communicator *comm = grouped;
    group *g = comm->group;
    grouped = NULL;
    int status = meet(g);
    for (int i = 0; status == SUCCESS && i < g->transfer_counts[comm->rank]; i++) {
        transfer *receive = &g->transfers[comm->rank][i];
        if (receive->send) {
            continue;
        }
        transfer *send = NULL;
        for (int k = 0; send == NULL && k < g->transfer_counts[receive->peer]; k++) {
            transfer *candidate = &g->transfers[receive->peer][k];
            if (candidate->send && candidate->peer == comm->rank && !candidate->taken) {
                send = candidate;
            }
        }
        if (send == NULL || send->bytes != receive->bytes) {
            status = failed(INVALID_USAGE, "a receive has no send of its size");
        } else {
            send->taken = 1;
            memmove(receive->address, send->address, send->bytes);
        }
    }
    int end = meet(g);
    g->transfer_counts[comm->rank] = 0;
    int cleared = meet(g);
    return status != SUCCESS ? status : end != SUCCESS ? end : cleared;
}

EXPORT int ncclMemAlloc(void **address, size_t bytes) {
    *address = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    __atomic_add_fetch(&live_memory, 1, __ATOMIC_SEQ_CST);
    return SUCCESS;
}

EXPORT int ncclMemFree(void *address) {
    free(address);
    __atomic_sub_fetch(&live_memory, 1, __ATOMIC_SEQ_CST);
    return SUCCESS;
}

EXPORT int ncclCommRegister(communicator *comm, void *address, size_t bytes, void **handle) {
    (void)comm;
    (void)bytes;
    *handle = address;
    __atomic_add_fetch(&live_registrations, 1, __ATOMIC_SEQ_CST);
    return SUCCESS;
}

EXPORT int ncclCommDeregister(communicator *comm, void *handle) {
    (void)comm;
    (void)handle;
    __atomic_sub_fetch(&live_registrations, 1, __ATOMIC_SEQ_CST);
    return SUCCESS;
}

EXPORT int ncclCommWindowRegister(communicator *comm, void *address, size_t bytes, void **window, int flags) {
    if (flags != 1) {
        return failed(INVALID_ARGUMENT, "not a symmetric window");
    }
    int status = publish(comm, address, address, bytes, 0, 0, NULL);
    if (status == SUCCESS) {
        *window = address;
        __atomic_add_fetch(&live_windows, 1, __ATOMIC_SEQ_CST);
    }
    int met = meet(comm->group);
    return status != SUCCESS ? status : met;
}

EXPORT int ncclCommWindowDeregister(communicator *comm, void *window) {
    (void)comm;
    (void)window;
    __atomic_sub_fetch(&live_windows, 1, __ATOMIC_SEQ_CST);
    return SUCCESS;
}
