/* Collectives, messages and reductions of a program: their arguments are checked here, and called by group.c. */
#include "interposer.h"

/* Numbers of collectives, as Java knows them. */
enum { ALL_REDUCE, BROADCAST, REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER };

/* How Java gets a reduction of the program: a factor of the host, or one in memory of the device. */
enum { PREMULTIPLIED = 5, PREMULTIPLIED_ON_DEVICE = 6 };

const int TYPE_WIDTHS[TYPES] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};

static const int64_t LARGEST = INT64_MAX / 4096; /* bytes of a buffer, for any number of ranks that there is */

/* Checks what all calls have, on a communicator that can be used. */
static result check(const char *function, communicator *comm, size_t count, int type, int root) {
    result refusal = enter(comm, function);
    if (refusal != SUCCESS) {
        return refusal;
    }
    int size = comm->size;
    leave(comm);
    if (type < 0 || type >= TYPES) {
        return failed(INVALID_ARGUMENT, "%s: data type %d; allowed: 0 to %d", function, type, TYPES - 1);
    }
    if (count > (uint64_t)(LARGEST / TYPE_WIDTHS[type])) {
        return failed(INVALID_ARGUMENT, "%s: %zu elements; allowed: %lld at most", function, count,
            (long long)(LARGEST / TYPE_WIDTHS[type]));
    }
    if (root < 0 || root >= size) {
        return failed(INVALID_ARGUMENT, "%s: rank %d; allowed: 0 to %d", function, root, size - 1);
    }
    return SUCCESS;
}

/* Resolves a reduction of the program. */
static result resolve(const char *function, operation *call, int op) {
    call->op = op;
    if (op >= SUM && op < OWN_REDUCTION) {
        return SUCCESS;
    }
    int place = op - OWN_REDUCTION;
    const reduction *own = place < 0 || place >= REDUCTIONS ? NULL : &call->comm->reductions[place];
    if (own == NULL || !own->live) {
        return failed(INVALID_ARGUMENT,
            "%s: reduction %d; allowed: 0 to 4, and those that ncclRedOpCreatePreMulSum has made for this communicator",
            function, op);
    }
    if (own->type != call->type) {
        return failed(INVALID_ARGUMENT, "%s: data type %d, and the reduction was made for type %d; pass equal types",
            function, call->type, own->type);
    }
    call->op = own->residence == ON_HOST ? PREMULTIPLIED : PREMULTIPLIED_ON_DEVICE;
    call->factor = own->factor;
    return SUCCESS;
}

static result collect(const char *function, int collective, const void *send, void *receive, size_t count, int type,
    int op, int root, communicator *comm, void *stream) {
    result refusal = check(function, comm, count, type, root);
    if (refusal != SUCCESS) {
        return noted(refusal);
    }
    operation call = {
        .comm = comm,
        .kind = COLLECTIVE,
        .collective = collective,
        .type = type,
        .root = root,
        .send = (int64_t)(intptr_t)send,
        .receive = (int64_t)(intptr_t)receive,
        .count = (int64_t)count,
        .stream = (int64_t)(intptr_t)stream,
    };
    refusal = resolve(function, &call, op);
    return refusal != SUCCESS || count == 0 ? noted(refusal) : add_operation(&call);
}

API(result, ncclAllReduce,
    (const void *send, void *receive, size_t count, int type, int op, communicator *comm, void *stream)) {
    return collect("ncclAllReduce", ALL_REDUCE, send, receive, count, type, op, 0, comm, stream);
}

API(result, ncclBroadcast,
    (const void *send, void *receive, size_t count, int type, int root, communicator *comm, void *stream)) {
    return collect("ncclBroadcast", BROADCAST, send, receive, count, type, SUM, root, comm, stream);
}

API(result, ncclBcast, (void *buffer, size_t count, int type, int root, communicator *comm, void *stream)) {
    return collect("ncclBcast", BROADCAST, buffer, buffer, count, type, SUM, root, comm, stream);
}

API(result, ncclReduce,
    (const void *send, void *receive, size_t count, int type, int op, int root, communicator *comm, void *stream)) {
    return collect("ncclReduce", REDUCE, send, receive, count, type, op, root, comm, stream);
}

API(result, ncclAllGather,
    (const void *send, void *receive, size_t count, int type, communicator *comm, void *stream)) {
    return collect("ncclAllGather", ALL_GATHER, send, receive, count, type, SUM, 0, comm, stream);
}

API(result, ncclReduceScatter,
    (const void *send, void *receive, size_t count, int type, int op, communicator *comm, void *stream)) {
    return collect("ncclReduceScatter", REDUCE_SCATTER, send, receive, count, type, op, 0, comm, stream);
}

API(result, ncclAlltoAll, (const void *send, void *receive, size_t count, int type, communicator *comm, void *stream)) {
    return collect("ncclAlltoAll", ALL_TO_ALL, send, receive, count, type, SUM, 0, comm, stream);
}

API(result, ncclGather,
    (const void *send, void *receive, size_t count, int type, int root, communicator *comm, void *stream)) {
    return collect("ncclGather", GATHER, send, receive, count, type, SUM, root, comm, stream);
}

API(result, ncclScatter,
    (const void *send, void *receive, size_t count, int type, int root, communicator *comm, void *stream)) {
    return collect("ncclScatter", SCATTER, send, receive, count, type, SUM, root, comm, stream);
}

static result exchange(const char *function, bool sends, const void *buffer, size_t count, int type, int peer,
    communicator *comm, void *stream) {
    result refusal = check(function, comm, count, type, peer);
    if (refusal != SUCCESS || count == 0) {
        return noted(refusal);
    }
    operation call = {
        .comm = comm,
        .kind = MESSAGE,
        .sends = sends,
        .send = (int64_t)(intptr_t)buffer,
        .bytes = (int64_t)count * TYPE_WIDTHS[type],
        .peer = peer,
        .stream = (int64_t)(intptr_t)stream,
    };
    return add_operation(&call);
}

API(result, ncclSend, (const void *buffer, size_t count, int type, int peer, communicator *comm, void *stream)) {
    return exchange("ncclSend", true, buffer, count, type, peer, comm, stream);
}

API(result, ncclRecv, (void *buffer, size_t count, int type, int peer, communicator *comm, void *stream)) {
    return exchange("ncclRecv", false, buffer, count, type, peer, comm, stream);
}
