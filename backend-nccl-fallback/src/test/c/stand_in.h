/*
 * What the stand-in for libnccl.so.2 shares: communicators, meetings of ranks, and faults that tests inject. Functions
 * and structures are those of the version whose code is VERSION.
 */
#ifndef STAND_IN_H
#define STAND_IN_H

#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef VERSION
#define VERSION 22705
#endif

#define MOST_RANKS 16
#define MOST_CALLS 256
#define FIRST_CREATED_OP 1000
#define AVERAGE 4
#define FLOAT8 10
#define BAD_STREAM ((void *)0xbad)
#define EXPORT __attribute__((visibility("default")))

typedef struct {
    char internal[128];
} unique_id;

enum {
    SUCCESS = 0,
    CUDA_ERROR = 1,
    SYSTEM_ERROR = 2,
    INTERNAL_ERROR = 3,
    INVALID_ARGUMENT = 4,
    INVALID_USAGE = 5,
    REMOTE_ERROR = 6,
    IN_PROGRESS = 7
};

/* ncclConfig_t as the header of each version declares it. */
typedef struct {
    size_t size;
    unsigned int magic;
    unsigned int version;
    int blocking;
#if VERSION >= 21700
    int cgaClusterSize;
    int minCTAs;
    int maxCTAs;
    const char *netName;
#endif
#if VERSION >= 21800
    int splitShare;
#endif
#if VERSION >= 22600
    int trafficClass;
#endif
#if VERSION >= 22700
    const char *commName;
    int collnetEnable;
    int CTAPolicy;
    int shrinkShare;
    int nvlsCTAs;
#endif
#if VERSION >= 22800
    int nChannelsPerNetPeer;
    int nvlinkCentricSched;
#endif
#if VERSION >= 22900
    int graphUsageMode;
    int numRmaCtx;
#endif
#if VERSION >= 23000
    int maxP2pPeers;
#endif
#if VERSION >= 23007
    int graphStreamOrdering;
#endif
} config;

enum {
    ALL_REDUCE,
    REDUCE_SCATTER,
    REDUCE,
    ALL_GATHER,
    BROADCAST,
    SEND,
    RECEIVE,
    WINDOW,
    SPLIT,
    SHRINK,
    INIT,
    FINALIZE
};

/* What a call asks for, kept so that a group, another thread or a stream can carry it out. */
typedef struct {
    int kind;
    const void *from;
    void *to;
    size_t count;
    int type;
    int op;
    int peer;
    void *stream;
    void **result;
    int key;
    const void *factor; /* of a created operation: read when the call runs */
} call;

/* What the other ranks see of a call. */
typedef struct {
    int kind;
    size_t count;
    int type, op, peer, key;
    double factor;
} notice;

/* Calls of streams and calls of the host meet apart from each other. */
enum { STREAMS, CALLERS, PLACES };

/* A message to a rank; there is one when more were posted than taken. */
typedef struct {
    long posted, taken;
    size_t offset, bytes; /* in the sender's file */
} mail;

/* What a rank shows the others, in a file that all map. Its data are in a file of its own. */
typedef struct {
    long rounds[PLACES]; /* meetings to which it has come */
    notice notices[PLACES];
    mail mails[MOST_RANKS];
} member;

typedef struct communicator {
    uint64_t id[2]; /* of the group */
    member *members;
    int files[MOST_RANKS];
    int ranks;
    int rank;
    int blocking;
    int users;   /* threads inside a function that has it */
    int freed;   /* aborted or destroyed: nobody may use it; its memory stays, so that a use is counted */
    int aborted; /* what waits returns */
    int working; /* a thread carries a call out */
    pthread_t caller; /* of the last call that does not block */
    int hangs;   /* the next call that a thread carries out does not end before an abort or a release */
    int state;    /* of calls that do not block: SUCCESS, IN_PROGRESS or an error */
    int reported; /* an error that was found after a call */
    call queue[MOST_CALLS];
    int queued;
    const void *factors[MOST_CALLS]; /* of created operations; NULL where none is */
    int created;
    int children; /* communicators that were made from it */
    struct communicator *parent; /* while it is made: whose abort ends that */
    uint64_t context; /* of the driver that runs streams; 0: callers carry calls out */
    long issued, finished; /* calls on streams, outside of graphs */
    int at_work; /* functions that streams run, and, except for those of graphs, that they will run */
    pthread_mutex_t turn; /* of the function that moves data */
} communicator;

enum { COMMUNICATORS, MEMORY, REGISTRATIONS, WINDOWS, WAITING, OPERATIONS, MISUSES, KINDS };

extern long live[KINDS];
extern __thread char last_error[128];

static inline void count_live(int kind, int by) {
    __atomic_add_fetch(&live[kind], by, __ATOMIC_SEQ_CST);
}

static inline int failed(int result, const char *why) {
    snprintf(last_error, sizeof last_error, "%s\n", why);
    return result;
}

/* Waits for all ranks, or for an abort of the communicator. */
int meet(communicator *comm, int place);

/* Shows the others what this rank calls, with data from memory, and waits for them; INVALID_USAGE if theirs differ. */
int publish(communicator *comm, int place, const call *own, const void *data, size_t bytes);

/* Reads what a rank has published. */
int published(communicator *comm, int rank, size_t offset, void *to, size_t bytes);

/* Writes data that others read. */
int write_own(communicator *comm, size_t offset, const void *data, size_t bytes);

/* Opens what the ranks of a group share. */
int join(communicator *comm);

/* Another id, which the ranks of a communicator derive alike. */
void derive_id(const communicator *comm, uint64_t salt, uint64_t *id);

int is_aborted(const communicator *comm);

/* Lets a waiting thread sleep for a moment. */
void rest(void);

/* Faults that a test injects into the next call of a function. A call that another thread carries out hangs there. */
int injected(const char *function, communicator *comm, int elsewhere);

/* Sleeps for a millisecond. */
void nap(void);

/* How often a test has ended all calls that hang. */
long releases(void);

/*
 * A thread uses a communicator until the block ends. Counts a use of one that was freed or that another thread uses,
 * which NCCL does not permit.
 */
communicator *begin_use(communicator *comm);
void end_use(communicator **comm);

#define USES(comm) __attribute__((cleanup(end_use), unused)) communicator *used = begin_use(comm)

/* Frees a communicator as NCCL does, with whatever uses it. */
void free_communicator(communicator *comm);

/* A call has failed: so does the group of the thread. Returns the result. */
int note_error(int result);

#define INJECTED(comm, elsewhere)                                              \
    do {                                                                       \
        int fault = injected(__func__, comm, elsewhere);                       \
        if (fault != SUCCESS) {                                                \
            return note_error(fault);                                          \
        }                                                                      \
    } while (0)

/* At the begin of a function that the caller carries out, or a thread of the communicator. */
#define BEGIN_HERE(comm) USES(comm); INJECTED(comm, 0)
#define BEGIN(comm) USES(comm); INJECTED(comm, 1)

size_t size_of(int type);

/* Elements from an offset in bytes on of the reduction over what all ranks have published. */
int reduced(communicator *comm, char *into, size_t offset, size_t count, int type);

/* The value of a factor. */
double factor_of(const call *own);

#endif
