/*
 * Groups, and how calls are carried out: by the caller, or by a thread of their own where the communicator does not
 * block. Calls that move data go to their stream where the stand-in for the driver runs streams.
 */
#include "stand_in_calls.h"

static __thread int depth;
static __thread int group_error;
static __thread communicator *grouped;

/* For tests: how many groups this thread has started and not ended. */
EXPORT int stand_in_depth(void) {
    return depth;
}

static int join_child(communicator *comm, const call *own, communicator *child) {
    child->parent = comm;
    child->context = comm->context;
    int status = join(child);
    child->parent = NULL;
    *own->result = status == SUCCESS ? child : NULL;
    if (status != SUCCESS) {
        free_communicator(child);
    }
    return status;
}

int moves(const call *own) {
    return own->kind <= RECEIVE;
}

static int split(communicator *comm, const call *own) {
    int status = publish(comm, CALLERS, own, NULL, 0);
    int members = 0, before = 0;
    for (int rank = 0; rank < comm->ranks && status == SUCCESS; rank++) {
        notice *other = &comm->members[rank].notices[CALLERS];
        if (other->peer == own->peer) {
            members++;
            before += other->key < own->key || (other->key == own->key && rank < comm->rank);
        }
    }
    comm->children++;
    if (status == SUCCESS) {
        status = meet(comm, CALLERS);
    }
    if (status != SUCCESS || own->peer < 0) {
        return status;
    }
    uint64_t id[2];
    derive_id(comm, (uint64_t)comm->children << 32 | (uint32_t)own->peer, id);
    return join_child(comm, own, new_communicator(id, members, before, comm->blocking));
}

/* The ranks that are left meet in the new group alone. */
static int shrink(communicator *comm, const call *own) {
    const int *excluded = own->from;
    int before = 0;
    uint64_t salt = 1;
    for (size_t i = 0; i < own->count; i++) {
        before += excluded[i] < comm->rank;
        salt = salt * 31 + (uint64_t)excluded[i];
    }
    uint64_t id[2];
    derive_id(comm, (uint64_t)++comm->children << 32 | salt, id);
    return join_child(comm, own,
            new_communicator(id, comm->ranks - (int)own->count, comm->rank - before, comm->blocking));
}

static int window(communicator *comm, const call *own) {
    int status = publish(comm, CALLERS, own, NULL, 0);
    int end = meet(comm, CALLERS);
    if (status == SUCCESS && end == SUCCESS) {
        *own->result = own->to;
        count_live(WINDOWS, 1);
    }
    return status != SUCCESS ? status : end;
}

/* Calls of the host at once, and those that move data as one, after them. */
static int carry_out(communicator *comm) {
    int status = SUCCESS, count = 0;
    for (int i = 0; status == SUCCESS && i < comm->queued; i++) {
        call *own = &comm->queue[i];
        switch (own->kind) {
            case INIT: status = join(comm); break;
            case FINALIZE: status = await_streams(comm); break;
            case SPLIT: status = split(comm, own); break;
            case SHRINK: status = shrink(comm, own); break;
            case WINDOW: status = window(comm, own); break;
            default: comm->queue[count++] = *own;
        }
    }
    if (status == SUCCESS && count > 0) {
        status = comm->context != 0 ? enqueue(comm, comm->queue, count) : move(comm, comm->queue, count);
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

int note_error(int result) {
    group_error = depth > 0 ? result : group_error;
    return result;
}

static int invalid(int result, const char *why) {
    return note_error(failed(result, why));
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
        own.factor = comm->factors[created];
    }
    if (comm->ranks == 1 && own.type >= FLOAT8 && own.op >= AVERAGE) {
        return invalid(INVALID_ARGUMENT, "one rank scales no floats of 8 bits"); /* as NCCL 2.28.9 */
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
