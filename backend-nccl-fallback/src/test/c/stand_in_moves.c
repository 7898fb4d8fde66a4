/* Calls that move data between the ranks of a group. */
#include "stand_in_calls.h"

#include <unistd.h>

/* Where messages begin in the file of a rank: behind what collectives publish. */
#define MESSAGES ((size_t)1 << 40)

/* All have read before any goes on. */
static int collective(communicator *comm, const call *own) {
    size_t bytes = own->count * size_of(own->type);
    size_t given = own->kind == REDUCE_SCATTER ? bytes * (size_t)comm->ranks
            : own->kind == BROADCAST && comm->rank != own->peer ? 0 : bytes;
    size_t taken = own->kind == ALL_GATHER ? bytes * (size_t)comm->ranks
            : own->kind == REDUCE && comm->rank != own->peer ? 0 : bytes;
    int status = publish(comm, STREAMS, own, own->from, given);
    if (status != SUCCESS) {
        return status;
    }
    char *result = malloc(taken + 1);
    switch (own->kind) {
        case ALL_REDUCE: status = reduced(comm, result, 0, own->count, own->type); break;
        case REDUCE: status = taken > 0 ? reduced(comm, result, 0, own->count, own->type) : SUCCESS; break;
        case REDUCE_SCATTER:
            status = reduced(comm, result, (size_t)comm->rank * bytes, own->count, own->type);
            break;
        case ALL_GATHER:
            for (int rank = 0; status == SUCCESS && rank < comm->ranks; rank++) {
                status = published(comm, rank, 0, result + (size_t)rank * bytes, bytes);
            }
            break;
        case BROADCAST: status = published(comm, own->peer, 0, result, bytes); break;
    }
    if (status == SUCCESS && taken > 0) {
        memcpy(own->to, result, taken);
    }
    free(result);
    int end = meet(comm, STREAMS);
    return status != SUCCESS ? status : end;
}

enum { WAITS, POSTED, DONE };

/* Whether an earlier message between the same ranks in the same direction has not ended. */
static int is_behind(const call *calls, const int *states, int index) {
    for (int i = 0; i < index; i++) {
        if (calls[i].kind == calls[index].kind && calls[i].peer == calls[index].peer && states[i] != DONE) {
            return 1;
        }
    }
    return 0;
}

/* Whether a send has made progress. */
static int try_send(communicator *comm, const call *own, int *state, size_t *end, int *status) {
    mail *box = &comm->members[comm->rank].mails[own->peer];
    if (__atomic_load_n(&box->taken, __ATOMIC_SEQ_CST) != box->posted) {
        return 0;
    }
    if (*state == POSTED) {
        *state = DONE;
        return 1;
    }
    box->offset = *end;
    box->bytes = own->count;
    *end += own->count;
    if (write_own(comm, box->offset, own->from, own->count) != SUCCESS) {
        *status = CUDA_ERROR;
    }
    __atomic_add_fetch(&box->posted, 1, __ATOMIC_SEQ_CST);
    *state = POSTED;
    return 1;
}

/* Whether a receive has made progress. */
static int try_receive(communicator *comm, const call *own, int *state, int *status) {
    mail *box = &comm->members[own->peer].mails[comm->rank];
    if (__atomic_load_n(&box->posted, __ATOMIC_SEQ_CST) == box->taken) {
        return 0;
    }
    if (box->bytes != own->count) {
        *status = failed(INVALID_USAGE, "a receive has no send of its size");
    } else if (published(comm, own->peer, box->offset, own->to, own->count) != SUCCESS) {
        *status = CUDA_ERROR;
    }
    __atomic_add_fetch(&box->taken, 1, __ATOMIC_SEQ_CST);
    *state = DONE;
    return 1;
}

/* Sends and receives at once, each pair of ranks by itself. */
static int exchange(communicator *comm, const call *calls, int count) {
    int states[MOST_CALLS], left = 0, status = SUCCESS;
    for (int i = 0; i < count; i++) {
        int message = calls[i].kind == SEND || calls[i].kind == RECEIVE;
        states[i] = message ? WAITS : DONE;
        left += message;
    }
    if (left > 0 && ftruncate(comm->files[comm->rank], 0) != 0) {
        return failed(SYSTEM_ERROR, "a file of messages");
    }
    size_t end = MESSAGES;
    count_live(WAITING, left > 0);
    int waits = left > 0;
    while (left > 0 && !is_aborted(comm)) {
        int progress = 0;
        for (int i = 0; i < count; i++) {
            if (states[i] != DONE && !is_behind(calls, states, i)) {
                progress |= calls[i].kind == SEND ? try_send(comm, &calls[i], &states[i], &end, &status)
                                                  : try_receive(comm, &calls[i], &states[i], &status);
                left -= states[i] == DONE;
            }
        }
        if (!progress) {
            rest();
        }
    }
    count_live(WAITING, -waits);
    return left > 0 ? failed(INTERNAL_ERROR, "aborted") : status;
}

int move(communicator *comm, call *calls, int count) {
    int status = exchange(comm, calls, count);
    for (int i = 0; status == SUCCESS && i < count; i++) {
        status = calls[i].kind == SEND || calls[i].kind == RECEIVE ? SUCCESS : collective(comm, &calls[i]);
    }
    return status;
}
