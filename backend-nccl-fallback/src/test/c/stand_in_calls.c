/*
 * Groups, and how calls are carried out: by the caller, or by a thread of their own where the communicator does not
 * block.
 */
#include "stand_in_calls.h"

static __thread int depth;
static __thread int group_error;
static __thread communicator *grouped;

/* For tests: how many groups this thread has started and not ended. */
EXPORT int stand_in_depth(void) {
    return depth;
}

/* What all ranks must call alike. */
static int publish(communicator *comm, const call *own) {
    group *g = comm->group;
    g->slots[comm->rank] = *own;
    int result = meet(comm, g);
    for (int rank = 0; result == SUCCESS && rank < g->ranks; rank++) {
        call *other = &g->slots[rank];
        int alike = own->op >= FIRST_CREATED_OP ? other->op >= FIRST_CREATED_OP : other->op == own->op;
        if (other->kind != own->kind || other->count != own->count || other->type != own->type || !alike
                || other->peer != own->peer) {
            result = failed(INVALID_USAGE, "the ranks' calls differ");
        }
    }
    return result;
}

/* All have computed before any writes, and all have written before any goes on. */
static int store(communicator *comm, char *result, char *to, size_t bytes, int status) {
    int met = meet(comm, comm->group);
    if (met == SUCCESS && status == SUCCESS && to != NULL) {
        memcpy(to, result, bytes);
    }
    free(result);
    int end = meet(comm, comm->group);
    return status != SUCCESS ? status : met != SUCCESS ? met : end;
}

static int collective(communicator *comm, const call *own) {
    int status = publish(comm, own);
    if (status != SUCCESS) {
        return status;
    }
    group *g = comm->group;
    size_t bytes = own->count * size_of(own->type);
    char *result = malloc(bytes * g->ranks + 1);
    void *to = own->to;
    switch (own->kind) {
        case REDUCE:
            to = comm->rank == own->peer ? to : NULL;
            /* fall through */
        case ALL_REDUCE: status = reduced(comm, result, 0, own->count, own->type); break;
        case REDUCE_SCATTER: status = reduced(comm, result, comm->rank * bytes, own->count, own->type); break;
        case ALL_GATHER:
            for (int rank = 0; rank < g->ranks; rank++) {
                memcpy(result + rank * bytes, g->slots[rank].from, bytes);
            }
            bytes *= g->ranks;
            break;
        case BROADCAST: memcpy(result, g->slots[own->peer].from, bytes); break;
        case WINDOW:
            *own->result = own->to;
            count_live(WINDOWS, 1);
            to = NULL;
            break;
    }
    return store(comm, result, to, bytes, status);
}

/* Every rank of the communicator must take part, with a transfer at least. */
static int exchange(communicator *comm) {
    group *g = comm->group;
    int count = 0;
    for (int i = 0; i < comm->queued; i++) {
        if (comm->queue[i].kind == SEND || comm->queue[i].kind == RECEIVE) {
            g->transfers[comm->rank][count++] = comm->queue[i];
        }
    }
    if (count == 0) {
        return SUCCESS;
    }
    g->transfer_counts[comm->rank] = count;
    int status = meet(comm, g);
    for (int i = 0; status == SUCCESS && i < count; i++) {
        call *receive = &g->transfers[comm->rank][i];
        if (receive->kind == SEND) {
            continue;
        }
        call *send = NULL;
        for (int k = 0; send == NULL && k < g->transfer_counts[receive->peer]; k++) {
            call *candidate = &g->transfers[receive->peer][k];
            if (candidate->kind == SEND && candidate->peer == comm->rank && !candidate->taken) {
                send = candidate;
            }
        }
        if (send == NULL || send->count != receive->count) {
            status = failed(INVALID_USAGE, "a receive has no send of its size");
        } else {
            send->taken = 1;
            memmove(receive->to, send->from, send->count);
        }
    }
    int end = meet(comm, g);
    g->transfer_counts[comm->rank] = 0;
    int cleared = meet(comm, g);
    return status != SUCCESS ? status : end != SUCCESS ? end : cleared;
}

static int split(communicator *comm, const call *own) {
    group *g = comm->group;
    g->slots[comm->rank] = *own;
    int status = meet(comm, g);
    if (status != SUCCESS) {
        return status;
    }
    int leader = -1, members = 0, before = 0;
    for (int rank = 0; rank < g->ranks; rank++) {
        call *other = &g->slots[rank];
        if (other->peer == own->peer) {
            leader = leader < 0 ? rank : leader;
            members++;
            before += other->key < own->key || (other->key == own->key && rank < comm->rank);
        }
    }
    if (leader == comm->rank && own->peer >= 0) {
        g->made[leader] = new_group();
        g->made[leader]->ranks = members;
    }
    status = meet(comm, g);
    if (status == SUCCESS) {
        *own->result = own->peer < 0 ? NULL : new_communicator(g->made[leader], before, comm->blocking);
    }
    int end = meet(comm, g);
    return status != SUCCESS ? status : end;
}

/* The ranks that are left meet in the new group alone. */
static int shrink(communicator *comm, const call *own) {
    group *g = comm->group;
    const int *excluded = own->from;
    int before = 0;
    for (size_t i = 0; i < own->count; i++) {
        before += excluded[i] < comm->rank;
    }
    pthread_mutex_lock(&g->lock);
    if (g->shrunk == NULL) {
        g->shrunk = new_group();
        g->shrunk->ranks = g->ranks - (int)own->count;
    }
    group *rest = g->shrunk;
    pthread_mutex_unlock(&g->lock);
    int status = meet(comm, rest);
    if (status == SUCCESS) {
        *own->result = new_communicator(rest, comm->rank - before, comm->blocking);
    }
    return status;
}

static int carry_out(communicator *comm) {
    int status = exchange(comm);
    for (int i = 0; status == SUCCESS && i < comm->queued; i++) {
        call *own = &comm->queue[i];
        switch (own->kind) {
            case SEND: case RECEIVE: break;
            case SPLIT: status = split(comm, own); break;
            case SHRINK: status = shrink(comm, own); break;
            case INIT: case FINALIZE: status = own->kind == INIT ? meet(comm, comm->group) : SUCCESS; break;
            default: status = collective(comm, own);
        }
    }
    comm->queued = 0;
    return status;
}

static void *worker(void *argument) {
    communicator *comm = argument;
    long before = releases();
    int hangs = comm->hangs;
    comm->hangs = 0;
    count_live(WAITING, hangs);
    while (hangs && releases() == before && !__atomic_load_n(&comm->aborted, __ATOMIC_SEQ_CST)) {
        nap();
    }
    count_live(WAITING, -hangs);
    int status = hangs ? failed(INTERNAL_ERROR, "hung") : carry_out(comm);
    __atomic_store_n(&comm->working, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&comm->state, status, __ATOMIC_SEQ_CST);
    return NULL;
}

int is_own(const communicator *comm) {
    return pthread_equal(comm->caller, pthread_self());
}

/* Before 2.19.1 a call that does not block keeps its job in memory of the thread that made it. */
static pthread_key_t last_job;

static void end_thread(void *comm) {
    communicator *last = comm;
    count_live(MISUSES, VERSION < 21901 && is_own(last) && __atomic_load_n(&last->working, __ATOMIC_SEQ_CST));
}

__attribute__((constructor)) static void make_key(void) {
    pthread_key_create(&last_job, end_thread);
}

static int run(communicator *comm) {
    if (comm->blocking) {
        return carry_out(comm);
    }
    pthread_setspecific(last_job, comm);
    comm->caller = pthread_self();
    __atomic_store_n(&comm->state, IN_PROGRESS, __ATOMIC_SEQ_CST);
    __atomic_store_n(&comm->working, 1, __ATOMIC_SEQ_CST);
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, comm) != 0) {
        return failed(SYSTEM_ERROR, "no thread");
    }
    pthread_detach(thread);
    return IN_PROGRESS;
}

static int invalid(int result, const char *why) {
    group_error = depth > 0 ? result : group_error;
    return failed(result, why);
}

int submit(communicator *comm, call own) {
    if (__atomic_load_n(&comm->state, __ATOMIC_SEQ_CST) == IN_PROGRESS) {
        return invalid(INVALID_USAGE, "another call is in progress");
    }
    if (own.stream == BAD_STREAM) {
        return invalid(INVALID_USAGE, "the stream is not one");
    }
    if (size_of(own.type) == 0 || comm->queued == MOST_CALLS) {
        return invalid(INVALID_ARGUMENT, "no such type, or too many calls");
    }
    if (own.op >= FIRST_CREATED_OP) {
        int created = own.op - FIRST_CREATED_OP;
        if (created >= comm->created || comm->factors[created] == NULL) {
            return invalid(INVALID_ARGUMENT, "no such operation");
        }
        own.factor = own.type == 7 ? *(const float *)comm->factors[created] : *(const int32_t *)comm->factors[created];
    }
    comm->queue[comm->queued++] = own;
    if (depth > 0) {
        grouped = comm;
        return SUCCESS;
    }
    return run(comm);
}

EXPORT int ncclGroupStart(void) {
    INJECTED(NULL, 0);
    depth++;
    return SUCCESS;
}

/* As NCCL does, a group with a failed call enqueues nothing and returns the failure. */
EXPORT int ncclGroupEnd(void) {
    if (depth == 0) {
        return failed(INVALID_USAGE, "there is no group");
    }
    if (--depth > 0) {
        return SUCCESS;
    }
    communicator *comm = grouped;
    USES(comm);
    int error = group_error;
    grouped = NULL;
    group_error = SUCCESS;
    if (error == SUCCESS) {
        error = injected(__func__, comm, 1);
    }
    if (comm == NULL || error != SUCCESS) {
        if (comm != NULL) {
            comm->queued = 0;
        }
        return error;
    }
    return run(comm);
}
