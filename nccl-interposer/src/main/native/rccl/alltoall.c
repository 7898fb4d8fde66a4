/* What RCCL has beside NCCL's functions. */
#include "interposer.h"

result ncclGroupStart(void);
result ncclGroupEnd(void);
result ncclSend(const void *buffer, size_t count, int type, int peer, communicator *comm, void *stream);
result ncclRecv(void *buffer, size_t count, int type, int peer, communicator *comm, void *stream);
result ncclCommCount(communicator *comm, int *count);
result ncclAlltoAll(const void *send, void *receive, size_t count, int type, communicator *comm, void *stream);

API(result, ncclAllToAll, (const void *send, void *receive, size_t count, int type, communicator *comm, void *stream)) {
    return ncclAlltoAll(send, receive, count, type, comm, stream);
}

API(result, ncclAllToAllv,
    (const void *send, const size_t *send_counts, const size_t *send_places, void *receive,
        const size_t *receive_counts, const size_t *receive_places, int type, communicator *comm, void *stream)) {
    int size = 0;
    result outcome = ncclCommCount(comm, &size);
    if (outcome != SUCCESS) {
        return outcome;
    }
    if (type < 0 || type >= TYPES) {
        return failed(INVALID_ARGUMENT, "ncclAllToAllv: data type %d; allowed: 0 to %d", type, TYPES - 1);
    }
    size_t width = (size_t)TYPE_WIDTHS[type];
    ncclGroupStart();
    for (int peer = 0; peer < size && outcome == SUCCESS; peer++) {
        const char *source = (const char *)send + send_places[peer] * width;
        outcome = ncclSend(source, send_counts[peer], type, peer, comm, stream);
        if (outcome == SUCCESS) {
            char *target = (char *)receive + receive_places[peer] * width;
            outcome = ncclRecv(target, receive_counts[peer], type, peer, comm, stream);
        }
    }
    result end = ncclGroupEnd();
    return outcome == SUCCESS ? end : outcome;
}

API(result, ncclAlltoAllv,
    (const void *send, const size_t *send_counts, const size_t *send_places, void *receive,
        const size_t *receive_counts, const size_t *receive_places, int type, communicator *comm, void *stream)) {
    return ncclAllToAllv(send, send_counts, send_places, receive, receive_counts, receive_places, type, comm, stream);
}
